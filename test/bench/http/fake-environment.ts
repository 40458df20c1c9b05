/** Makes Parley use the fake provider for its answers and for its vectors. */
export function fakeEnvironment(
  baseUrl: string,
  storage: { readonly DATA_DIR: string; readonly DATABASE_URL?: string },
): Record<string, string> {
  return {
    ...storage,
    LLM_MODELS: 'openai:fake',
    EMBEDDING_MODEL: 'openai:fake',
    OPENAI_API_KEY: 'fake',
    OPENAI_BASE_URL: baseUrl,
    ADMIN_TOKEN: 'a-token-for-the-benchmark',
    LOG_LEVEL: 'warn',
  };
}
