import { defineConfig } from 'vitest/config';
import { nodeArguments } from './test/helpers/node-arguments.ts';
import { LongestFirst } from './test/helpers/runner/longest-first.ts';
import { renewedWorkers } from './test/helpers/runner/renewed-worker.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/runner/global-setup.ts'],
    pool: renewedWorkers,
    // Files share what they import: loading it anew for each would take longer than the tests.
    isolate: false,
    // Node strips the types itself, as it does where the product runs: nothing is transformed.
    experimental: { viteModuleRunner: false },
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // An event ends each wait. These limits end a test that would wait for ever, also on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // A test that reached a limit is run once more, since others had the machine. A wrong value fails at once.
    retry: { count: 1, condition: /timed out|Timeout \d+ms exceeded/ },
    // A worker has databases, servers and browsers to end.
    teardownTimeout: 60_000,
    // Collecting garbage takes a fifth of a worker's time with the space that Node leaves for what is new.
    execArgv: [...nodeArguments, '--max-semi-space-size=64'],
    // For npm run coverage.
    coverage: { provider: 'v8' },
  },
});
