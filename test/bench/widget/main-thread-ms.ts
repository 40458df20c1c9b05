import { z } from 'zod';

const traceSchema = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      dur: z.number().optional(),
      args: z.looseObject({ data: z.looseObject({ url: z.string().optional() }).optional() }).optional(),
    }),
  ),
});
const counted = ['EvaluateScript', 'v8.compile', 'FunctionCall'];

/** Returns how long the main thread was busy with work from `script`, by a trace of the browser. */
export function mainThreadMs(trace: Buffer, script: string): number {
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString()));
  const own = traceEvents.filter(
    ({ name, args }) => counted.includes(name) && args?.data?.url?.includes(script) === true,
  );
  return own.reduce((sum, { dur = 0 }) => sum + dur / 1_000, 0);
}
