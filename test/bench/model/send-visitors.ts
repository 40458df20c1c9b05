import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import { startProcess } from '../http/managed-process.ts';
import { pacedAnswer } from './paced-answer.ts';
import type { StreamTarget } from './stream-target.ts';
import { type StreamVisit, type VisitorsOrder, visitSchema } from './visitors-order.ts';

const script = fileURLToPath(new URL('./visitors.ts', import.meta.url));
let sent = 0;

/** Throws a BenchError if an answer differs from the model's text. */
export async function sendVisitors(
  { name, url, headers, body }: StreamTarget,
  load: Pick<VisitorsOrder, 'streams' | 'atOnce' | 'leaves'>,
): Promise<readonly StreamVisit[]> {
  const order: VisitorsOrder = { url, headers, body, firstNumber: sent + 1, ...load };
  sent += load.streams;
  const visitors = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', script, JSON.stringify(order)],
    core: 1,
  });
  await visitors.ended;
  const visits = z.array(visitSchema).safeParse(JSON.parse(visitors.output() || 'null'));
  if (!visits.success) throw new BenchError(`${name}: a visitor got no answer`);
  const wrong = visits.data.find(({ text }) => !load.leaves && !text.startsWith(pacedAnswer));
  if (wrong !== undefined) throw new BenchError(`${name}: a visitor was told “${wrong.text}”`);
  return visits.data;
}
