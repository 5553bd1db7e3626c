CREATE TEMPORARY VIEW readings AS
SELECT * FROM VALUES ('m-1', '120'), ('m-2', 'n/a') AS readings(meter, value);

SELECT meter, CAST(value AS INT) AS value FROM readings;
