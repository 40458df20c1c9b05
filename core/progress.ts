import { SingleBar } from 'cli-progress';

interface Progress {
  update(done: number): void;
  stop(): void;
}

const patienceMs = 1_000;

/**
 * A progress bar on standard error, for work that takes longer than a second. Where nobody watches a terminal it is
 * a line at the begin, the half and the end.
 */
export function showProgress(label: string, total: number): Progress {
  const startedAt = performance.now();
  return process.stderr.isTTY ? barOf(label, total, startedAt) : linesOf(label, total, startedAt);
}

function barOf(label: string, total: number, startedAt: number): Progress {
  const bar = new SingleBar({
    format: `${label} [{bar}] {percentage}% {value}/{total} {eta_formatted}`,
    hideCursor: true,
    clearOnComplete: true,
  });
  let shown = false;
  return {
    update(done) {
      if (!shown && performance.now() - startedAt > patienceMs) {
        shown = true;
        bar.start(total, done);
      }
      if (shown) bar.update(done);
    },
    stop() {
      if (shown) bar.stop();
    },
  };
}

function linesOf(label: string, total: number, startedAt: number): Progress {
  let told = -1;
  return {
    update(done) {
      const half = Math.floor((done / total) * 2);
      if (half === told || performance.now() - startedAt <= patienceMs) return;
      told = half;
      process.stderr.write(`${label}: ${done}/${total}\n`);
    },
    stop() {},
  };
}
