import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    pool: 'forks',
    // Files share what they import: loading it anew for each would take longer than the tests.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A worker has databases, servers and browsers to end.
    teardownTimeout: 60_000,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
});
