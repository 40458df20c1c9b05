/** The folder of the invented company's help pages: Markdown, HTML and one PDF. */
export const demoHelpCentre = new URL('./help-centre/', import.meta.url);

export const demoWorkspaceName = 'Pottle & Sprig';

/** Questions that the pages answer, to suggest to somebody who has just started. */
export const demoQuestions: readonly string[] = [
  'How much does delivery to Germany cost?',
  'What does the Family plan include?',
  'What does a blinking red light mean?',
];
