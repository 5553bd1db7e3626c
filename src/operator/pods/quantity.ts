export { parseQuantity, sameQuantity } from '../../validation/quantity';
