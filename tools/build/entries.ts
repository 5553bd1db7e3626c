/* How programs begin. This code runs before anything is loaded. */

/** The bundled HTTP client needs this Node; see docs/explain/decisions/0002-runtime-in-the-package.md. Keep the code plain: older Nodes have to parse it. */
export const guard = (program: string, advice: string): string => `#!/usr/bin/env node
(function () {
  var needed = [22, 19];
  var found = process.versions.node.split('.').map(Number);
  if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
    console.error('${program} needs Node ' + needed.join('.') + ' or newer to run; this is Node ' + process.versions.node + '. ${advice}');
    process.exit(1);
  }
})();`;
