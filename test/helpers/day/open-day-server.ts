import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { z } from 'zod';
import { childEnvironment } from '../child-environment.ts';
import { nodeArguments } from '../node-arguments.ts';
import { freePort } from '../servers/network/free-port.ts';
import { testDataFolder } from '../stores/databases/test-data-folder.ts';
import { createDatabase } from '../stores/databases/test-databases.ts';

const program = resolve(import.meta.dirname, 'day-server.ts');
const answerSchema = z.object({ result: z.unknown().optional(), fault: z.string().optional() });
const placeSchema = z.object({
  workspace: z.string(),
  /** Conversations of other visitors. */
  others: z.array(z.string()),
  people: z.array(z.object({ name: z.string(), cookie: z.string() })),
});

/** This program is the server of a day: its time can be moved, and it can be stopped and killed. */
export async function openDayServer(engine: 'embedded' | 'postgres') {
  const environment = {
    ADMIN_TOKEN: 'a-token-for-the-simulated-day-0123456789abcdef',
    DATA_DIR: testDataFolder(),
    PORT: String(await freePort()),
    ...(engine === 'postgres' && {
      DATABASE_URL: await createDatabase(),
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    }),
  };
  let movedMs = 0;
  let child = start(environment, movedMs);
  const ask = async (order?: object): Promise<unknown> => {
    const asked = child;
    if (order !== undefined) asked.send(order);
    const message = await new Promise((answered, failed) => {
      asked.once('message', answered);
      asked.once('exit', (code) => failed(new TypeError(`the server ended with ${code}`)));
    });
    asked.removeAllListeners('exit');
    const { result, fault } = answerSchema.parse(message);
    if (fault !== undefined) throw new TypeError(fault);
    return result;
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const gone = new Promise((ended) => child.once('exit', ended));
    child.kill(signal);
    await gone;
  };
  await ask();
  const address = `http://localhost:${environment.PORT}`;
  return {
    address,
    adminToken: environment.ADMIN_TOKEN,
    setUp: async (slug: string) => placeSchema.parse(await ask({ do: 'setup', slug })),
    /** Lets half a minute and more pass without any action. */
    async pass(ms: number) {
      await ask({ do: 'advance', ms });
      movedMs += ms;
    },
    now: () => Date.now() + movedMs,
    end,
    async restart() {
      child = start(environment, movedMs);
      await ask();
    },
    close: () => end('SIGKILL'),
  };
}

/** After a restart the time continues from where it was. */
function start(environment: Readonly<Record<string, string>>, movedMs: number): ChildProcess {
  return spawn(process.execPath, [...nodeArguments, program, String(movedMs)], {
    env: { ...childEnvironment(), ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
