export { parseQuantity, sameQuantity } from '../../rules/quantity';
