/** The skill by which a visitor gets a person. */
export const personSkill = 'escalate_to_human';
