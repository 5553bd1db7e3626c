CREATE TEMPORARY VIEW campaigns AS
SELECT * FROM VALUES ('spring', 120.0, 40), ('autumn', 80.0, 0) AS campaigns(name, cost, clicks);

SELECT name, cost / clicks AS cost_per_click
FROM campaigns;
