import { SingleBar } from 'cli-progress';

interface Progress {
  update(done: number): void;
  stop(): void;
}

const DELAY_MS = 1_000;

/**
 * Shows a progress bar on standard error for work that takes longer than a second. Without a terminal it prints
 * a line at the start, halfway and at the end.
 */
export function showProgress(label: string, total: number): Progress {
  const startedAt = performance.now();
  return process.stderr.isTTY ? createBar(label, total, startedAt) : createLines(label, total, startedAt);
}

function createBar(label: string, total: number, startedAt: number): Progress {
  const bar = new SingleBar({
    format: `${label} [{bar}] {percentage}% {value}/{total} {eta_formatted}`,
    hideCursor: true,
    clearOnComplete: true,
  });
  let shown = false;
  return {
    update(done) {
      if (!shown && performance.now() - startedAt > DELAY_MS) {
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

function createLines(label: string, total: number, startedAt: number): Progress {
  let lastHalf = -1;
  return {
    update(done) {
      const half = Math.floor((done / total) * 2);
      if (half === lastHalf || performance.now() - startedAt <= DELAY_MS) return;
      lastHalf = half;
      process.stderr.write(`${label}: ${done}/${total}\n`);
    },
    stop() {},
  };
}
