-- What the insights of a workspace count. Everything follows from conversations, and is deleted with them.

-- A part of a conversation that has one outcome (core/insights/outcomes.ts).
create table insight_episode (
  conversation_id text not null references conversation (id) on delete cascade,
  number integer not null,
  workspace_id text not null,
  channel text not null,
  -- The positions of its messages begin here.
  first_position integer not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  -- It counts from then on.
  settles_at timestamptz not null,
  outcome text not null check (outcome in ('confirmed', 'assumed', 'handed_over', 'unanswered', 'left')),
  handed_at timestamptz,
  replied_at timestamptz,
  solved_at timestamptz,
  -- How the visitor learned, before the first answer, that a machine answers: a sentence, the interface, or not at all. Null
  -- if the engine answered nothing.
  disclosure text check (disclosure in ('sentence', 'interface', 'none')),
  -- Whether the visitor was asked for a rating, and the last one that they gave.
  rating_asked boolean not null,
  rating smallint,
  primary key (conversation_id, number)
);
create index insight_episode_ended on insight_episode (workspace_id, ended_at desc, conversation_id desc);
create index insight_episode_handed on insight_episode (workspace_id, handed_at) where handed_at is not null;

-- A question to the engine, with the facts of its answer.
create table insight_question (
  conversation_id text not null,
  -- Of the message with the question.
  position integer not null,
  episode integer not null,
  workspace_id text not null,
  channel text not null,
  asked_at timestamptz not null,
  -- ISO 639-1; `und` if the question is too short to tell.
  language text not null,
  -- Null if it is not known.
  audience text[],
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  answered boolean not null,
  -- Of a quoted answer: how likely it was said to be right.
  probability real,
  opinion text check (opinion in ('up', 'down')),
  tokens integer not null,
  latency_ms integer,
  -- The language model that wrote; null if none did, or it is not known.
  model text,
  -- Models that failed before.
  failovers integer not null,
  -- The documents that the answer rests on.
  documents text[] not null,
  -- Of its episode, so that numbers about questions need no join.
  outcome text not null,
  settles_at timestamptz not null,
  primary key (conversation_id, position),
  foreign key (conversation_id, episode) references insight_episode (conversation_id, number) on delete cascade
);
create index insight_question_episode on insight_question (conversation_id, episode);
create index insight_question_asked on insight_question (workspace_id, asked_at desc);

-- Conversations of a workspace that changed later are not counted yet.
create table insight_progress (
  workspace_id text primary key references workspace (id) on delete cascade,
  updated_until timestamptz not null,
  conversation_id text not null
);

-- The key that signs the monthly reports of this installation.
create table report_key (
  id text primary key,
  -- Ed25519, as SPKI in Base64.
  public_key text not null,
  secret_encrypted text not null,
  created_at timestamptz not null
);
