CREATE TEMPORARY VIEW orders AS SELECT 1 AS id, 'de' AS country, 12.5 AS amount;

SELECT country, sum(amount) AS revenue
FROM orders
GRUOP BY country;
