-- Found messages that were stored before messages could be searched. All messages have their terms now.
-- step: online
drop index concurrently if exists message_uncounted;
