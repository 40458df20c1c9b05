import { cpus, loadavg, platform } from 'node:os';

/** Call it first; the function that it returns makes the line below the figures. */
export function watchMachine(): () => string {
  const [atBegin = 0] = loadavg();
  return () => {
    const [atEnd = 0] = loadavg();
    const processors = cpus();
    const load = `load of the last minute ${atBegin.toFixed(2)} at the start, ${atEnd.toFixed(2)} at the end`;
    return `${processors.length} x ${processors[0]?.model.trim()}, Node ${process.version}, ${platform()}; ${load}`;
  };
}
