-- A person has a draft of a reply beside the draft of a note. A process of the previous version cannot save drafts any more;
-- the browser tries again until that process has ended.
alter table conversation_draft drop constraint conversation_draft_pkey;
alter table conversation_draft add primary key (person_id, conversation_id, kind);
alter table conversation_draft add column actions jsonb;
alter table conversation_draft add column other jsonb;
