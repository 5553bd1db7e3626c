/* The sign-in form: what cannot be sent as a bearer token. */
import { isToken } from '../../../src/console/page/token';

test.each([['eyJhbGciOiJSUzI1NiJ9.eyJzdWIi.sig-_~+/==', true], ['nonsense', true], ['eyJh…', false], ['eyJh bGci', false], ['"eyJh"', false], ['ü', false], ['', false]])(
  '%j: %p', (text, expected) => expect(isToken(text)).toBe(expected),
);
