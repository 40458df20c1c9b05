import { z } from 'zod';
import type { Runtime } from './runtime.ts';
import type { Service } from './service.ts';

const serviceNames = ['server', 'workers'] as const;
export type ServiceName = (typeof serviceNames)[number];

type StartService = (runtime: Runtime, options: readonly string[]) => Promise<Service>;

const serviceModule = z.object({
  start: z.custom<StartService>((value) => typeof value === 'function'),
});

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((known) => known === name);
}

/**
 * The start function of a service, by its name on the command line: core names no service in its imports, and
 * servers and workers do not know each other, yet `npm start` runs both in one process.
 */
export async function loadService(name: ServiceName): Promise<StartService> {
  const module: unknown = await import(new URL(`../${name}/main.ts`, import.meta.url).href);
  return serviceModule.parse(module).start;
}
