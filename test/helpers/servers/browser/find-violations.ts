import axe from 'axe-core';
import { z } from 'zod';

/** A page in a browser, as far as axe needs it. */
interface CheckedPage {
  evaluate(script: string): Promise<unknown>;
}

const violationsSchema = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
);

/**
 * Resolves when every animation and transition has ended, those in shadow trees included. One that repeats for ever
 * does not count. The end of one may begin another.
 */
const settled = `(async () => {
  const rootsIn = (root) =>
    [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : []))];
  const running = () =>
    rootsIn(document)
      .flatMap((root) => root.getAnimations())
      .filter((animation) => animation.playState === 'running')
      .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime));
  for (let found = running(); found.length > 0; found = running())
    await Promise.allSettled(found.map(({ finished }) => finished));
})()`;

/**
 * Returns the violations that axe finds on the page, as the rule and the elements. `rules` are axe's options. It
 * waits until nothing on the page moves: a text that fades in has less contrast than it will have.
 */
export async function findViolations(page: CheckedPage, rules: object = {}): Promise<string[]> {
  await page.evaluate(axe.source);
  await page.evaluate(settled);
  const found = await page.evaluate(
    `axe.run(document, ${JSON.stringify(rules)}).then(({ violations }) => violations)`,
  );
  return violationsSchema
    .parse(found)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
