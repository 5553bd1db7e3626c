export * from './api/spark-application';
export * from './api/states';
export * from './constructs/api-spark-application';
export * from './constructs/spark-application';
export * from './constructs/spark-operator';
