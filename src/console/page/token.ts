/** Token of the `Bearer` scheme: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Returns whether a text can be sent as a bearer token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
