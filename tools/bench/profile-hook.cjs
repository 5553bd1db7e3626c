/* Loaded into the operator for `--profile`: a SIGUSR2 begins a CPU profile, unless BENCH_PROFILE_START says that it begins at once, and the next one writes it to the file that BENCH_PROFILE names. */
const { renameSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

let session;
function begin() {
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1000 });
  session.post('Profiler.start');
}

if (process.env.BENCH_PROFILE_START) begin();
process.on('SIGUSR2', () => {
  if (!session) {
    begin();
    return;
  }
  const ending = session;
  session = undefined;
  ending.post('Profiler.stop', (error, result) => {
    if (error) throw error;
    const file = process.env.BENCH_PROFILE;
    writeFileSync(`${file}.part`, JSON.stringify(result.profile));
    renameSync(`${file}.part`, file);
  });
});
