import { z } from 'zod';
import { type Frame, readEvents, textOf } from '../../helpers/servers/questions/read-events.ts';
import type { ProviderCase } from './provider-case.ts';

export interface Visit {
  /** The visitor's outcome, in a few words. */
  readonly outcome: string;
  readonly ms: number;
}

const question = 'How many working days until parcels arrive?';
let asked = 0;
const wholeSchema = z.object({ answer: z.string().optional(), code: z.string().optional() });

/** Asks once and reads all that comes. */
export async function visit(served: ProviderCase, key: string): Promise<Visit> {
  const startedAt = performance.now();
  asked += 1;
  const response = await fetch(served.address + served.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    // Each question is unique, so that no answer is remembered.
    body: JSON.stringify({ query: `${question} (${asked})` }),
  });
  const outcome = served.path.endsWith('/stream') ? await readStream(response) : await readWhole(response);
  return { outcome, ms: performance.now() - startedAt };
}

async function readWhole(response: Response): Promise<string> {
  const { answer, code } = wholeSchema.parse(await response.json());
  return response.ok ? `200 “${answer}”` : `${response.status} ${code}`;
}

async function readStream({ status, body }: Response): Promise<string> {
  const frames: Frame[] = [];
  if (body !== null) for await (const frame of readEvents(body)) frames.push(frame);
  const text = textOf(frames);
  const code = frames.at(-1)?.code;
  const said = text === '' ? [] : [`“${text}”`];
  return [`${status}`, ...said, ...(code === undefined ? [] : [`error frame ${code}`])].join(' ');
}
