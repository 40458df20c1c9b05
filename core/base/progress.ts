interface Progress {
  update(done: number): void;
  stop(): void;
}

const DELAY_MS = 1_000;
const BAR_WIDTH = 40;
const CLEAR_REST_OF_LINE = '\u001b[K';

/**
 * Shows a progress bar on standard error for work that takes longer than a second. Without a terminal it prints
 * a line at the start, halfway and at the end.
 */
export function showProgress(label: string, total: number): Progress {
  const startedAt = performance.now();
  return process.stderr.isTTY ? createBar(label, total, startedAt) : createLines(label, total, startedAt);
}

function createBar(label: string, total: number, startedAt: number): Progress {
  let shown = false;
  const redraw = (line: string): void => void process.stderr.write(`\r${line}${CLEAR_REST_OF_LINE}`);
  return {
    update(done) {
      const elapsed = performance.now() - startedAt;
      if (elapsed <= DELAY_MS) return;
      shown = true;
      const share = Math.min(1, done / total);
      const bar = '='.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '-');
      const left = done > 0 ? ` ${Math.ceil((elapsed * (total - done)) / done / 1_000)}s` : '';
      redraw(`${label} [${bar}] ${Math.floor(share * 100)}% ${done}/${total}${left}`);
    },
    stop() {
      if (shown) redraw('');
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
