import { callSlack } from './call-slack.ts';
import { refusalError } from './refusal.ts';

/** Calls a method that nothing can be done about where it is refused. */
export async function demandSlack<Result>(
  ...[call, account, tools]: Parameters<typeof callSlack<Result>>
): Promise<Result> {
  const outcome = await callSlack(call, account, tools);
  if (outcome.ok) return outcome.result;
  throw refusalError(outcome.refusal);
}
