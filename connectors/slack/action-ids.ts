/** What our buttons are called in what Slack tells of them. */
export const FEEDBACK_ACTION = 'parley_feedback';
export const PERSON_ACTION = 'parley_person';
