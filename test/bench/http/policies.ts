const topics = 'refunds shipping billing accounts security pricing exports webhooks limits teams'.split(' ');
const articles = 200;

/** The same two hundred articles that the hand-made servers answer from. */
export const policies: readonly { readonly title: string; readonly text: string }[] = Array.from(
  { length: articles },
  (_, index) => {
    const topic = topics[index % topics.length];
    const sentence = `The policy on ${topic} number ${index} says that requests are handled within ${1 + (index % 30)} days and recorded under code K${index}. `;
    return { title: `Article ${index}`, text: `Article ${index} about ${topic}. ${sentence.repeat(3)}` };
  },
);

/** What is asked; the number keeps answers from being remembered. */
export const policyQuestion = 'What is the policy on refunds number 10? ({{i}})';
