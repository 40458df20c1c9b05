-- Sessions know when the person last proved who they are, and codes of a second factor work once.
alter table person_session add column proven_at timestamptz;

alter table person_two_factor add column last_step bigint;
