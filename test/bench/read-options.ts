import { parseArgs } from 'node:util';
import { z } from 'zod';

export const partNames = [
  'start',
  'search',
  'query',
  'ingest',
  'http',
  'providers',
  'model',
  'channels',
  'widget',
  'chaos',
  'balancer',
  'webhooks',
  'turns',
  'neighbours',
  'lists',
  'live',
  'inbox',
  'inbox-keys',
  'slack',
  'discord',
  'twilio',
  'voice',
  'email',
  'sources',
] as const;
export const engineNames = ['onnx', 'wasm', 'auto'] as const;

export type EngineName = (typeof engineNames)[number];

const optionsSchema = z.object({
  parts: z.array(z.enum(partNames)).transform((parts) => (parts.length === 0 ? partNames : parts)),
  /** Chunks in the workspaces that are searched. */
  sizes: z
    .string()
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.number().int().min(500).max(200_000))),
  /** Absent: every engine that loads on this machine. */
  engine: z.enum(engineNames).optional(),
  /** The folder of the load scripts. */
  load: z.string().optional(),
  /** Events of Slack a second. */
  rate: z.coerce.number().int().min(5).max(500),
  /** The time for which a part of the installation is away in the drills behind a load balancer. */
  away: z.coerce.number().int().min(2).max(120),
});

export type BenchOptions = z.output<typeof optionsSchema>;

/** Null if the command line is not understood. */
export function readOptions(args: readonly string[]): BenchOptions | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        sizes: { type: 'string', default: '1000,10000,50000' },
        engine: { type: 'string' },
        load: { type: 'string' },
        rate: { type: 'string', default: '200' },
        away: { type: 'string', default: '30' },
      },
    });
    return optionsSchema.parse({ parts: positionals, ...values });
  } catch (error) {
    if (error instanceof TypeError || error instanceof z.ZodError) return null;
    throw error;
  }
}
