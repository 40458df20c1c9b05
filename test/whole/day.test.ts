import { describe, expect, onTestFinished, test } from 'vitest';
import { Day } from '../helpers/day/day.ts';
import { throwDice } from '../helpers/day/dice.ts';
import { openDayServer } from '../helpers/day/open-day-server.ts';
import { chromiumPath, openBrowser } from '../helpers/servers/browser/open-browser.ts';
import { testEngines } from '../helpers/stores/databases/test-databases.ts';

/**
 * `PARLEY_DAY_STEPS=400 PARLEY_DAY_SEEDS=20 npx vitest run test/whole/day` simulates twenty long days on both storages.
 * `PARLEY_DAY_FIRST` is the first seed, to repeat a day that failed.
 */
const steps = Number(process.env.PARLEY_DAY_STEPS ?? 25);
const wanted = process.env.PARLEY_DAY_SEEDS;
/** This short day has 17 of the 18 steps. */
const first = Number(process.env.PARLEY_DAY_FIRST ?? (wanted === undefined ? 2_084 : 1));
const seeds = Array.from({ length: Number(wanted ?? 1) }, (_, index) => index + first);
const engines = wanted === undefined ? (['embedded'] as const) : testEngines;

describe.skipIf(chromiumPath === undefined)('a day of two agents and a visitor in Chromium', () => {
  test.each(engines.flatMap((engine) => seeds.map((seed) => [engine, seed] as const)))(
    'on %s, seed %i: nothing is lost or sent twice, and no screen is late without saying so',
    { timeout: 300_000 + steps * 60_000 },
    async (engine, seed) => {
      const server = await openDayServer(engine);
      onTestFinished(server.close);
      const browser = await openBrowser();
      onTestFinished(() => browser.close());
      const day = new Day({ server, browser, dice: throwDice(seed) });
      await day.begin();
      const tell = (error: unknown) => {
        const story = day.log.map((done, index) => `${index + 1}. ${done}`).join('\n');
        expect.fail(`${String(error)}\n${story}`);
      };
      for (let step = 1; step <= steps; step += 1) await day.step().catch(tell);
      await day.end().catch(tell);
    },
  );
});
