-- Found messages that were stored before messages could be searched. All messages have their terms now.
drop index message_uncounted;
