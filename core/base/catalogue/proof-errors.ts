import { type ErrorEntry, entry } from './error-entry.ts';

/** The part of the error catalogue for test questions, curated answers, gaps, imported tickets and change sets. */
export const proofErrors = {
  curated_answer_without_text: entry(
    400,
    'A curated answer that answers needs a text. Write one, or choose another action.',
  ),
  invalid_test_question: entry(
    400,
    'Nothing tells whether an answer is right. Send accepted, document_id or said, or expects: "nothing"; or turns alone, at least one of which expects something.',
  ),
  curated_answer_not_found: entry(404, 'The curated answer does not exist. Check its id.'),
  curated_answer_exists: entry(
    409,
    'This question has a curated answer for the same audience already. Change that one.',
  ),
  curated_document: entry(
    409,
    'This document is the text of a curated answer. Change the curated answer instead.',
  ),
  too_many_curated_answers: entry(
    409,
    'This workspace has 2,000 curated answers, which is the maximum. Delete one first.',
  ),
  gap_not_found: entry(404, 'The gap does not exist. Check its id.'),
  gap_language_differs: entry(409, 'Gaps of different languages cannot be merged.'),
  test_question_not_found: entry(404, 'The test question does not exist. Check its id.'),
  ticket_import_not_found: entry(404, 'The import of tickets does not exist. Check its id.'),
  imported_ticket_not_found: entry(404, 'The imported ticket does not exist. Check its id.'),
  test_run_not_found: entry(404, 'The test run does not exist. Check its id.'),
  change_set_not_found: entry(404, 'The change set does not exist. Check its id.'),
  change_item_not_found: entry(404, 'The change set has no such change. Check its id.'),
  test_running: entry(409, 'The test questions are being asked already. Wait for the run, or cancel it.'),
  ticket_import_running: entry(
    409,
    'Tickets are being imported into this workspace already. Wait for that import, or cancel it.',
  ),
  too_many_ticket_imports: entry(409, 'A workspace has at most 20 imports of tickets. Delete one first.'),
  no_test_questions: entry(409, 'This workspace has no test questions. Add one first.'),
  change_set_closed: entry(
    409,
    'The change set was published or undone already. Put the change into another one.',
  ),
  change_set_empty: entry(409, 'The change set has no changes. Add one first.'),
  change_set_not_ready: entry(
    409,
    'A document of the change set is being indexed, or cannot be read. Wait, or change it.',
  ),
  change_set_not_green: entry(
    409,
    'This workspace publishes green change sets only. Try the set, and look at each answer that differs.',
  ),
  change_set_conflict: entry(
    409,
    'A document or a setting of the change set was changed meanwhile. Take the change over again, or remove it.',
  ),
  change_set_too_old: entry(
    409,
    'The change set was published more than 30 days ago, so what it replaced is not kept any more. Stage the change back.',
  ),
  change_set_too_large: entry(
    409,
    'A change set with documents can be tried in workspaces of at most 20,000 passages. Try settings alone.',
  ),
  change_set_full: entry(409, 'A change set has at most 100 changes. Publish it, or begin another one.'),
  too_many_test_questions: entry(
    409,
    'A workspace has at most 2,000 test questions. Delete some, or upload fewer.',
  ),
} as const satisfies Record<string, ErrorEntry>;
