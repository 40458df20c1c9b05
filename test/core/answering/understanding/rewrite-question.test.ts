import { expect, test } from 'vitest';
import { ask } from '../../../../core/answering/ask.ts';
import { Interruption } from '../../../../core/contract/answer.ts';
import { startSilentProvider } from '../../../helpers/models/providers/silent-provider.ts';
import { openTestRuntime } from '../../../helpers/servers/open-test-runtime.ts';
import { plainRequest } from '../../../helpers/servers/questions/plain-request.ts';

const silent = await startSilentProvider();
const runtime = await openTestRuntime({
  environment: {
    LLM_MODELS: 'openai-compatible:silent',
    OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl,
  },
});
const { workspace } = await runtime.workspaces.create({ name: 'Test' });

test('aborts the rewrite if the client disconnects', async () => {
  const leaving = new AbortController();
  const earlierTurns = [{ question: 'How do I return a jacket?', answer: 'By mail.' }];
  const asked = ask(
    { ...runtime, writer: null },
    { ...plainRequest(workspace, 'how long does that take?'), earlierTurns },
    { signal: leaving.signal },
  );
  await silent.asked;
  leaving.abort(new Interruption('cancelled'));
  expect(await asked).toMatchObject({ ended: 'cancelled', answer: { text: '' } });
  await silent.left;
});
