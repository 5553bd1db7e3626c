/**
 * The cluster's addresses, the same in every cluster since each has a network of its own. They are from 198.18.0.0/15,
 * which is reserved for tests of networks, so that they never hide an address that a Spark application could want.
 */

export const NODE_NAME = 'node1';
export const NODE_ADDRESS = '198.19.255.1';
export const POD_NETWORK = '198.18.0.0/17';
export const SERVICE_NETWORK = '198.19.0.0/17';
/** The first of the service network: where pods find the API server. */
export const API_SERVICE_ADDRESS = '198.19.0.1';

export const API_PORT = 6443;
export const API_URL = `https://127.0.0.1:${API_PORT}`;
