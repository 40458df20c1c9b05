import { z } from 'zod';
import { type CommandLine, createCommand, parseWholeNumber } from '../command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { type Output, toSingleLine } from '../output.ts';
import { withTemporaryKey } from '../temporary-key.ts';

const askResponse = z.looseObject({
  answer: z.string(),
  sources: z.array(z.looseObject({ title: z.string(), url: z.string().nullable(), score: z.number() })),
  conversation_id: z.string(),
  confidence: z.string(),
});

export function ask(commandLine: CommandLine) {
  return createCommand('ask', {
    summary: 'ask a question as a visitor would',
    about: [
      'Asks through POST /v1/query with a temporary key that is revoked afterwards, and prints the answer, its sources and',
      "its confidence. It counts as a message of the plan's quota and is stored as a conversation.",
    ].join(' '),
    examples: [
      ['ask "How much does delivery to Germany cost?"', 'start a new conversation'],
      ['ask "And how long does it take?" --conversation conv_01k9', 'continue a conversation'],
    ],
    failure: 'the command failed; an answer with low confidence is not a failure',
  })
    .argument('<question>', 'the question, at most 4,000 characters')
    .option(...workspaceOption)
    .option('--conversation <id>', 'continue this conversation')
    .option('--top-k <number>', 'maximum number of passages to use, 1 to 20', parseWholeNumber)
    .action((query, { workspace, conversation, topK, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, workspace);
          const body = { query, conversation_id: conversation, top_k: topK };
          const response = await withTemporaryKey(api, workspaceId, (token) =>
            api.call('POST', '/v1/query', { body, token }),
          );
          const answer = askResponse.parse(response);
          output.result(answer, () => printAnswer(answer, output));
        },
      }),
    );
}

function printAnswer({ answer: text, sources, ...rest }: z.output<typeof askResponse>, output: Output): void {
  output.text(text);
  output.line();
  if (sources.length > 0) output.line(output.strong('Sources'));
  for (const { title, url, score } of sources) {
    output.line(
      `  ${score.toFixed(2)}  ${toSingleLine(title)}${url === null ? '' : `  ${toSingleLine(url)}`}`,
    );
  }
  const unsure = 'low: no document answers this question well (see parley search)';
  output.record({
    confidence: rest.confidence === 'low' ? unsure : rest.confidence,
    conversation: rest.conversation_id,
  });
}
