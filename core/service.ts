import type { Runtime } from './runtime.ts';

/** A part of the product that runs until it is stopped: a server, or workers. */
export interface Service {
  /** Where it can be reached, when it listens. */
  readonly address?: string;
  /** Takes nothing new and resolves when what runs is done. */
  stop(): Promise<void>;
}

const serviceNames = ['server', 'workers'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** `options` are the other words of the command line. */
export type StartService = (runtime: Runtime, options: readonly string[]) => Promise<Service>;

export function isServiceName(name: string): name is ServiceName {
  return serviceNames.some((known) => known === name);
}
