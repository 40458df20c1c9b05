-- Messages of agents name the person who was signed in.
alter table message add column person_id text;
