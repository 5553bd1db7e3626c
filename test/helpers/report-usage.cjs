/* Loaded into a process before its program (`--require`): on SIGUSR2 it logs its CPU time in microseconds and, after a garbage collection, its memory in bytes. */
const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
let reports = 0;

process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage();
  // Once more for what finalizers have let go. Only this flavor gives pages back.
  for (let round = 0; round < 2; round++) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  console.log(JSON.stringify({ msg: 'usage', report: ++reports, cpu: user + system, ...process.memoryUsage() }));
});
