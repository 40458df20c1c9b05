import { z } from 'zod';
import type { ConnectorRegistry } from './channels/connector-registry.ts';

const registryModule = z.object({
  connectors: z.custom<ConnectorRegistry['connectors']>((value) => Array.isArray(value)),
  findConnector: z.custom<ConnectorRegistry['findConnector']>((value) => typeof value === 'function'),
});

/** The channels of this version: core names none of them in its imports, and the main file hands them in. */
export async function loadConnectors(): Promise<ConnectorRegistry> {
  const module: unknown = await import(new URL('../connectors/registry.ts', import.meta.url).href);
  return registryModule.parse(module);
}
