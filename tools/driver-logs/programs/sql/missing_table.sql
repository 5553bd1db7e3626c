CREATE DATABASE IF NOT EXISTS reports;
USE reports;

SELECT day, sum(amount) AS revenue
FROM sales.transactions
GROUP BY day;
