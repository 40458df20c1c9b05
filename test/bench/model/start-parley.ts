import { startProduct } from '../http/product-target.ts';
import type { StreamTarget } from './stream-target.ts';

interface Storage {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string;
}

/** Starts the product as it is shipped, except for its language model. */
export async function startParley(
  name: string,
  providerAddress: string,
  storage: Storage,
): Promise<StreamTarget> {
  const environment = {
    ...storage,
    LLM_MODELS: 'openai:paced',
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${providerAddress}/v1`,
    ADMIN_TOKEN: 'a-token-for-the-benchmark',
    LOG_LEVEL: 'warn',
  };
  const target = await startProduct(name, environment, { core: 0 });
  return {
    name,
    url: `${target.address}/v1/query/stream`,
    headers: { authorization: `Bearer ${target.keys[0] ?? ''}`, 'content-type': 'application/json' },
    body: target.body,
    stop: () => target.stop(),
  };
}
