import type { Tools } from '../../core/contract/account.ts';
import type { contentsOf } from './content-of.ts';
import { refusesBlocks } from './content-of.ts';
import { type Outcome, refusalError } from './refusal.ts';

type Content = ReturnType<typeof contentsOf>[number];

/** Says something in the first of several ways that Slack takes; what it refuses for another reason is thrown. */
export async function say<Result>(
  contents: readonly Content[],
  attempt: (content: Content) => Promise<Outcome<Result>>,
  tools: Pick<Tools, 'log'>,
): Promise<Result> {
  let outcome: Outcome<Result> | undefined;
  for (const content of contents) {
    outcome = await attempt(content);
    if (outcome.ok) return outcome.result;
    if (!refusesBlocks(outcome.refusal)) break;
    const { code, details } = outcome.refusal;
    tools.log.warn(
      { because: [code, ...details].join('. ') },
      'Slack refused the blocks of a message: it goes out plainer',
    );
  }
  throw refusalError(
    outcome?.ok === false ? outcome.refusal : { method: 'a message', code: 'no_text', details: [] },
  );
}
