remembered = 📌 Got it: { $fact }
remembered_as_said = 📌 Got it, in your words: { $fact }
remembered_server = 📌 Got it, for the whole server: { $fact }
alias_waits = “{ $alias }” works for everyone once { $name } agrees: with “Bot yes” here, or in `/memory show` with *still true*. Until then, only for you.
already_known = 📌 I knew that already: { $fact }
subject_unknown = Who is that? I don't know anyone called “{ $name }” here. Mention them (@name) so I know who you mean.
subject_missing = Who is that about? Say who it is, preferably with a mention: “{ $bot } remember that @name likes chess”.
subject_missing_forget = Who is that about? Say who it is, preferably with a mention: “{ $bot } forget that @name likes chess”.
which_of = Who do you mean: { $names }? Please mention the right one (@name).
forgotten = 📌 Done, forgotten: { $facts }
nothing_to_forget = I don't have anything like that about { $name }.
nothing_like_that = I don't have anything like that.
nearest =
    The closest things I know:
    { $facts }
    To have me forget one, say “{ $bot } forget #{ $number }”.
candidates =
    Which of these facts about { $name } should I forget?
    { $facts }
    Say “{ $bot } forget #{ $number }”.
forget_all_hint = To have everything about { $name } forgotten at once, use `/memory-admin purge-member`.
channel_by_command = I can't forget a whole channel just because someone asks. If you manage this server, `/settings` keeps me out of it, and `/memory-admin purge-channel` deletes what I stored from it. For your own messages, use /privacy.
no_such_fact = There is no fact #{ $number } here.
not_yours = Only { $name }, the person who told me, or a moderator can have me forget that: { $facts }
not_yours_server = Only the person who told me, or a moderator, can have me forget that: { $facts }
know = **{ $name }**: { $context }
know_facts =
    What people told me:
    { $facts }
know_more = … and { $count ->
    [one] one more thing
   *[other] { $count } more things
}. *{ button_details }* lists everything.
know_nothing = I don't know anything about { $name } yet.
know_activity = { $name } wrote { $count ->
        [one] { $count } message
       *[other] { $count } messages
    } in the last 7 days, on { $days ->
        [one] one day
       *[other] { $days } days
    }.
fact_line =
    #{ $number } { $fact }
    -# told by { $teller }, { $date }
teller_self = the person it's about
someone = someone
jokes_off = 📌 No more jokes about you.
jokes_on = 📌 Okay, I may joke about you again.
jokes_by_command = I can only stop joking about you: say “{ $bot } no jokes about me”. Someone who manages this server can switch jokes on or off for everyone in `/settings`.
settings_by_command = That's in `/settings`, if you manage this server. What I keep about you, and whether I may joke about you, is in `/privacy`.
zone_set = 📌 This server's time zone is now { $zone }.
zone_denied = You need the Manage Server permission to set the time zone.
zone_unknown = I don't know a time zone called { $zone }. Try one like Europe/Berlin or UTC.
no_ai = I can't chat here because no AI is set up. I can still remember and recall facts: say “{ $bot } help”.
quota_out = I've used up my AI quota until { $until }, so no chatting for now. Facts still work: “remember”, “forget” and “what do you know about …”.
ai_away = My AI isn't answering right now. Facts still work: “remember”, “forget” and “what do you know about …”.
ai_refused = My AI declined to answer that.
ai_unusable = I couldn't make sense of my AI's answer. Could you ask me another way?
keep_this = Keep this? “{ $text }”
forget_one =
    Should I forget this?
    { $facts }
forget_this =
    Should I forget one of these?
    { $facts }
not_told = I can't say anything about that.
known_anyway =
    What I know without it:
    { $facts }
error = Something went wrong on my side, so I couldn't do that. If it happens again, give this code to whoever runs me: { $code }
database_away = I can't reach my memory right now. I'll get to this as soon as it's back; nothing you write is lost. (code { $code })
away_done = Done. I was interrupted before I could tell you.
away_done_for = { $name }, what you asked for a while ago is done. I was interrupted before I could tell you.
away_tried_for = { $name }, I've only just got to what you asked for a while ago, and I changed nothing. Please ask again if you still want it.
away_late = I was away when you wrote this. { $answer }
gave_up = I tried this several times and couldn't do it. Please ask me another way. Whoever runs me can look into it.
away_missed = I was away when you asked. If you still want to know, ask me again.
direct_messages = What I remember about people belongs to a server. In direct messages I only keep our conversation, for an hour at most. Please tell me that on a server I'm on.
attached = That got long, so here it is as a file.
remembered_in_public =
    📌 Got it, only for you.
    Nobody else will see it, and neither will any AI model. You can see it with /memory show.
remembered_private =
    📌 Got it, only for you: { $fact }
    Nobody else will see it, and neither will any AI model. You can see it with /memory show.
replaced = This replaces: { $facts }
still_true = Is this still true? { $facts }
not_empty = What should I remember? Reply to a message with “remember this”, or say “{ $bot } remember that …”.
not_secret = That looks like a password, a key or a card number, so I won't keep it. You may want to delete the message.
not_own_words = I wrote that myself. Reply with “remember this” to something a person wrote.
not_gone = That message is gone, so I won't keep anything from it.
not_named = Someone you named doesn't want to be remembered, so I won't keep it.
not_order = I remember facts, not instructions, so that one I won't keep.
not_sensitive = That's about { $matter }. I only keep things like that when people tell me about themselves.
not_confirm = That's about { $matter }. Please tell me yourself and confirm it.
not_opted_out = { $name } doesn't want to be remembered, so I won't keep anything about them. To see what I keep about you, use /privacy.
not_teachers = Not everyone on this server may tell me things about others. { $name } can tell me this personally.
not_teachers_server = Not everyone here may tell me things about this server. Ask a moderator to tell me.
not_forgotten = I won't keep that unless { $name } tells me.
confirm_sensitive = That's about { $matter }. I'll only keep it if you confirm, and only you will see it. Your message stays in the channel until you delete it.
dropped = Okay, I won't keep it.
keep_not = Either that's for someone else to decide, or it has expired.
matter_health = health
matter_sexuality = sexuality
matter_religion = religion
matter_politics = politics
matter_finances = money matters
matter_phone = a phone number
matter_minor = a minor's age
matter_other = something sensitive
forgotten_more = I also forgot { $count ->
        [one] one more fact that was
       *[other] { $count } more facts that were
    } out of date or only visible elsewhere.
forgotten_hidden = 📌 Done, that's gone everywhere.
forgotten_talk = 📌 I had no fact like that. I've deleted from my memory what I found about it.
forgotten_source = 📌 I've forgotten that you told me this. Others told me too, so I still know it: { $facts }
forgotten_left = I looked again, and something like it is still stored. The button shows what.
forgotten_partly = 📌 I deleted what I found, but not everything is gone.
receipt_clean = Deleted: { $removed }. I checked { $tables ->
        [one] { $tables } place
       *[other] { $tables } places
    } again and found nothing left.
receipt_left = Deleted: { $removed }. I checked again and still found: { $left }.
receipt_removed = deleted: { $removed }
receipt_none = Only the person it's about, the person who asked for it, and moderators can see what was deleted.
receipt_attached = The file lists what was deleted.
table_inbox = things I was asked
table_chat_history = messages
table_facts = facts
table_fact_sources = sources of facts
table_user_facts = texts made from facts
table_notes = notes
table_historical_summaries = weekly summaries
table_contexts = short texts for answers
table_replies = records of answers
table_audit = log entries
table_suppressions = fingerprints of deleted facts
table_members = names
table_member_names = searchable names
table_slices = stretches of conversation
table_vectors = search data
undo_not = Either it's too late to undo that, or you can't. Undo works for ten minutes, for the person it's about, the person who did it, and moderators. Only you can bring back what you deleted about yourself.
undone = 📌 Undone by { $name }.
back_again = 📌 That's back: { $facts }
undone_words = 📌 Undone by { $name }: “{ $text }”
button_undo = Undo
button_receipt = What was deleted?
button_keep_it = Keep it
button_keep_server = It's about the server
button_keep = Keep it, only for me
button_drop = Don't keep it
button_confirm = #{ $number } is still true
button_correct = Correct #{ $number }
button_strike = Forget #{ $number }
button_strike_day = Forget { $date }
button_strike_week = Forget the week of { $date }
button_strike_month = Forget the month from { $date }
button_restore = Restore #{ $number }: { $fact }
button_privacy = What do you keep about me?
button_policy = What do you keep?
button_gone = That button is from an older version of me. Please use the command again.
tab_facts = Facts
tab_days = Summaries
tab_history = History
show_facts = **{ $name }**: { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    } (page { $page } of { $pages })
show_by_self = __Told by { $name }__
show_by_others = __Told by others__
show_inferred = __Picked up from conversation__
show_stale = { $count ->
        [one] 1 fact may be
       *[other] { $count } facts may be
    } out of date. I won't use { $count ->
        [one] it
       *[other] them
    } until someone confirms { $count ->
        [one] it
       *[other] them
    }.
show_days = **{ $name }**: { $count ->
        [one] { $count } summary
       *[other] { $count } summaries
    } (page { $page } of { $pages })
show_no_days = There are no summaries.
show_history = **{ $name }**: changes (page { $page })
show_no_history = There are no changes to show.
day_before = the days up to { $date }
day_struck = 📌 The summary for { $days } is gone, and so is what I kept of your messages from then, except the ones that told me a fact.
mark_faded = (not confirmed for a while: I only use it when asked)
mark_stale = (may be out of date: I won't use it until someone confirms it)
mark_private = (only you can see this)
mark_link = source
mark_told = ({ $times ->
        [one] told once
       *[other] told { $times } times
    })
mark_undone = (undone)
name_agreed = 📌 Good: from now on, “{ $alias }” works for everyone.
agreed = 📌 Good, so it's right: “{ $fact }”
confirmed = 📌 Good to know: #{ $number } is still true.
corrected = 📌 #{ $number } now says: { $fact }
restore_not = That can't be restored. The person has said something else since, and only they can take that back.
restored = 📌 Restored: { $fact }
change_line = { $date } { $who } { $action } { $facts }
action_remember = told me
action_correct = corrected
action_confirm = confirmed
action_restore = restored
action_forget = deleted
action_forget_key = deleted all facts of one kind
action_forget_day = deleted a summary
action_rollback = deleted what was told by
action_pending = was asked to confirm something sensitive
action_consent = chose what I may keep
action_ignore = had me ignore
action_unignore = had me stop ignoring
action_erase = erased everything
action_left = left and was forgotten
action_purge_member = purged what I kept about
action_purge_channel = purged what I kept from a channel
action_teachers = chose who may tell me about others
action_log = set the log channel
action_look = looked at what I keep
action_base_role = chose the role that counts as everyone
action_mode = set a channel's mode
form_remember = Remember this
form_correct = Correct #{ $number }
form_erase = Erase everything
field_about = Who is it about?
field_sentence = What to remember
field_audience = Who may see it
field_erase = Type “{ $word }” (this can't be undone)
choice_everyone = Everyone on this server
choice_here = People who can read this channel
choice_me = Only me
remember_people = I can only remember messages that people wrote and that contain text. Please choose one of those.
channel_off = I'm off in this channel.
why = What I used for that answer:
why_unknown = I have no record of this answer. I keep records for { $days ->
        [one] { $days } day
       *[other] { $days } days
    }, and none for confirmations and help.
why_nothing = I used nothing from memory.
why_not_mine = Please choose one of my answers.
why_summaries = Summaries: { $levels }. Sources: { $links }
why_no_links = no longer there
why_gone = { $count ->
        [one] { $count } more thing I used has
       *[other] { $count } more things I used have
    } changed or been forgotten since.
why_kept_back = Left out because not everyone here can read the channel where I was told: { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    }.
level_current_day = today
level_days_2_7 = the six days before today
privacy_offer = Open the panel to see what I keep about you and for how long, choose what I may keep, export it, or erase it all. I erase nothing before you confirm it there.
privacy_nothing = I keep nothing about you.
privacy_stored = **{ $where }**: { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    }; { $facts ->
        [one] { $facts } fact
       *[other] { $facts } facts
    } about you ({ $by_others } told by others), { $retired } that no longer { $retired ->
        [one] holds
       *[other] hold
    }; { $about_others ->
        [one] { $about_others } fact
       *[other] { $about_others } facts
    } you told me about others; { $summaries ->
        [one] { $summaries } summary
       *[other] { $summaries } summaries
    }; from { $oldest } to { $newest }.
privacy_consent = What I may keep { $where }: **{ $consent }**.
privacy_ignored = The people who manage this server told me to ignore you, so I keep nothing new about you here.
where_here = on this server
where_everywhere = everywhere
where_other = on server { $guild }
consent_on = everything
consent_explicit = only facts that people tell me
consent_off = nothing
consent_sure_off = If you choose this, here's what changes { $where }: I'll keep none of your messages, and no facts or notes about you, no matter who they come from. Other people's messages that mention you will stay. I'll delete all of this:
consent_sure_explicit = If you choose this, here's what changes { $where }: I'll only keep facts that people tell me about you. I'll delete my copies of your messages, and the summaries made from them:
consent_undo = You can undo this here for ten minutes.
form_consent = What I may keep
field_consent = Type “{ $word }” (undo within 10 minutes)
field_consent_direct = Type “{ $word }” (this can't be undone here)
consent_now_on = From now on I'll remember you { $where }.
consent_now_explicit = From now on I'll only keep facts that people tell me about you { $where }. What I kept of your messages is gone, and so are the summaries made from them.
consent_now_off = From now on, { $where }: I keep none of your messages, and no facts or notes about you, whoever they come from. What I had is gone. Messages in which others mention you stay.
button_consent_on_here = Here: remember me
button_consent_explicit_here = Here: facts only
button_consent_off_here = Here: nothing
button_consent_on_everywhere = Everywhere: remember me
button_consent_explicit_everywhere = Everywhere: facts only
button_consent_off_everywhere = Everywhere: nothing
button_export_here = Export (here)
button_erase_here = Erase (here)
button_export_everywhere = Export (everywhere)
button_erase_everywhere = Erase (everywhere)
export_done = Here is everything I keep about you, as JSON and as a readable page.
erase_not = Nothing was erased. Please type the word exactly.
erased = Everything I kept about you is gone. I checked again and found nothing. What others wrote belongs to them and stays. To be left out of that as well, choose “nothing”. The file lists what was deleted.
erased_left = I erased what I could, but I checked again and still found something. The file says where. Please press the button again, or tell whoever runs me.
greeting = Hi! I remember the people of this server. I read the channels I can see, keep messages for { $retention } days, and sum up what happens, so that I know you when I answer. Everyone can see, correct and erase what I know about them with /privacy. If you manage this server, press “Set up”.
manage_denied = You need the Manage Server permission for that.
teachers_anyone = From now on, anyone can tell me facts about others. Each fact shows who told me, and the person it's about can have me forget it.
teachers_self = From now on, people can only tell me facts about themselves.
teachers_moderators = From now on, only moderators can tell me facts about others.
base_role_set = { $role } now counts as everyone: in any channel its members can read, I use whatever they can read. In channels that newcomers without the role can read too, I only use what was said there.
base_role_none = No other role counts as everyone any more, only @everyone.
base_role_is = { $role } counts as everyone.
base_role_likely = Every member here seems to have { $role }. If so, make it count as everyone with `/memory-admin base-role`.
log_set = Admin actions are logged in { $channel }.
log_off = Admin actions are no longer logged in a channel.
mode_off = I'm off in { $channel }: I read nothing and write nothing there. What I already have from it stays until you purge it.
mode_talk = I'll chat in { $channel }, but only keep what people ask me to remember.
mode_remember = I'll chat and remember in { $channel }.
ignored = I'll ignore { $name } from now on: I won't answer them or keep anything new about them. What I already have stays until you purge it.
unignored = I won't ignore { $name } any more.
button_purge_channel = Purge your memory of this channel
button_purge_member = Purge your memory of { $name }
button_rollback = Delete { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    }
purge_channel_sure = Delete everything I keep from { $channel }: messages, facts told there, and everything made from them? The channel itself stays as it is. This can't be undone.
purge_member_sure = Delete everything I keep about { $name }: { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    }, { $facts ->
        [one] { $facts } fact
       *[other] { $facts } facts
    }, { $summaries ->
        [one] { $summaries } summary
       *[other] { $summaries } summaries
    }? This can't be undone.
purged_channel = Everything I kept from { $channel } is gone: { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    }.
purged_member = Everything I kept about { $name } is gone: { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    }.
rollback_none = { $name } told me nothing in that time.
rollback_sure = { $name } told me { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    } in that time. Delete { $count ->
        [one] it
       *[other] them
    }? You can undo it for ten minutes.
rolled_back = { $count ->
        [one] The fact
       *[other] The { $count } facts
    } that { $name } told me { $count ->
        [one] is
       *[other] are
    } gone.
audit = **Admin log** (page { $page })
audit_empty = No admin actions yet.
command_memory = What I remember about people here
command_show = What I know about you or someone else: facts, summaries, sources
command_history = Changes to what I know about you or someone else, and what you can restore
command_remember = Remember something about someone
command_forget = Forget something about you or someone else
command_forget_key = Forget all facts of one kind
command_privacy = See, limit, export or erase what I keep about you
command_help = What I can do, and how to ask for it
command_status = How I'm doing: version, messages kept, AI quota
command_admin = For people who manage this server
command_teachers = Choose who may tell me facts about others
command_channel = Choose what I do in a channel: nothing, chat only, or chat and remember
command_ignore = Ignore a member: I won't answer them or keep anything new about them
command_purge_channel = Delete everything I keep from a channel
command_purge_member = Delete everything I keep about someone
command_rollback = Delete what someone told me recently
command_audit = See what was done with the admin commands
command_base_role = Set the role that counts as everyone
command_log = Log admin actions in a channel
option_member = Who? Leave empty for yourself
option_whom = Who?
option_fact = What to remember, in one sentence
option_which = Which fact? Pick one, or describe it
option_key = Which kind, for example job or hobby
option_teachers = Who? anyone, self (people only about themselves), or moderators
option_mode = off, chat only, or chat and remember
option_channel = Which channel? Leave empty for this one
option_ignored = True to ignore, False to stop ignoring
option_teacher = Who told me?
option_hours = How many hours back?
option_base_role = Which role? Leave empty for @everyone
option_log = Which channel? Leave empty to stop logging
menu_remember = Remember this
menu_why = Why?
menu_what = What do you remember?
help =
    Start your message with “{ $bot }”, mention me, or reply to me.
    • To have me remember something: **{ $bot } remember that Ann plays the cello**
    • To see what I know: **{ $bot } what do you know about @name** (or “me”)
    • To find something: **{ $bot } who fixed the kiln?**
    • To have me forget something: **{ $bot } forget that …**
    • To catch up: **{ $bot } what did I miss**
    • To choose what I keep about you: `/privacy`
status =
    Version { $version }. Messages of this server stored: { $messages }; waiting to be written: { $pending }.
    Days follow { $zone }.
    { $models }
status_model = { $model }: { $calls } calls today{ $limit }, { $tokens } tokens{ $blocked }
status_blocked = ; out of quota until { $until }
presence_facts_only = Facts only: my AI isn't answering
presence_facts_only_until = Facts only until { $until }
presence_nothing_new = Not reading anything new: my AI isn't answering
presence_nothing_new_until = Not reading anything new until { $until }
status_bad_key = ; its key was rejected
status_unknown_model = ; there is no such model
status_minute_out = ; out of quota for this minute
status_day_out = ; out of quota for today
status_unreachable = ; it isn't answering
status_dropped = Discord events I couldn't read: { $count }
status_whole = This channel is complete since { $since }
status_missing = I'm still reading what was written here since { $since }
status_skew = My machine's clock is { $seconds } seconds off. Whoever runs me should correct it
status_catching_up = Catching up on what I missed: { $read } of { $count } channels
status_parked = Failed jobs, waiting for whoever runs me: { $count } (see “urmom-bot parked”)
status_failing = Background jobs that keep failing: { $names }
status_no_ai = No AI is set up: I only remember and recall facts.
found_anyway =
    But I did find this, said here:
    { $lines }
recall_found =
    Here's what I found:
    { $lines }
recall_nothing = I found nothing about that here.
missed = Since you last wrote ({ $since }), people have been talking in { $channels }.
missed_nothing = Nothing happened here since you last wrote ({ $since }).
command_recall = Find what was said here
option_question = What are you looking for?
why_found = Found by a search: { $links }
reset_done = 📌 Done, let's start over. I'll keep what we decided.
subject_closed = 📌 Okay, new subject. I've closed your part of this talk. The others can go on with theirs.
reset_nothing = We have no conversation here to start over.
busy = One moment, I'm still answering others here. Please ask me again when I'm done.
direct_session = I keep this conversation for an hour at most, and nothing from it afterwards.
answered_before = You asked that before. I said:
gathered = I picked this up from what you said. Is this right? { $fact }
changed = On { $date }, I noted about you: “{ $note }”. Is this still true? { $fact }
status_session = { $channel }: { $turns } turns, { $tokens } tokens in the last prompt ({ $parts }){ $over }
status_over = — over the prompt limit: { $parts }
command_reset = Start our conversation over
table_sessions = conversations
table_turns = conversation turns
table_segments = conversation parts
table_conclusions = conclusions
table_topics = topics
table_answers = kept answers
topics_heading = { $count ->
        [one] { $count } topic
       *[other] { $count } topics
    }
topics_none = There are no topics yet. They come from what you decide in conversations with me.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } line
       *[other] { $count } lines
    }), { $when }
topic_replaced = (replaced { $when })
topic_since = (first said { $when })
topic_heading = **{ $name }**: { $count ->
        [one] { $count } line
       *[other] { $count } lines
    }
topic_none = I don't know a topic by that name here.
topic_denied = Only moderators can edit topics. You can delete your own lines.
topic_renamed = { $name } is now called { $new }.
topic_name_taken = It can't be called { $new }: that name is taken or can't be used.
topic_merged = The lines of { $name } are now in { $into }.
topic_merge_not = Those two can't be merged: different people can read them.
topic_dropped = The page { $name } is gone. You can still find its lines by asking me.
button_drop_line = Delete line { $number }
command_topics = Show this server's topics
command_topic = Topics: decisions and results
command_topic_show = Show a topic's page
command_topic_rename = Give a topic another name
command_topic_merge = Move a topic's lines to another topic
command_topic_drop = Delete a topic's page and keep its lines
option_topic = Which topic?
option_new_name = What should it be called?
option_into = Which topic should the lines move to?
status_prompts_over = Prompts over the limit since I started: { $parts }
share_used = You've used your share of my AI quota for now. You can ask me again { $until }. Facts still work: “remember”, “forget” and “what do you know about …”.
not_full = You've told me as many facts about others as I keep from one person. Have me forget one of them, then tell me this again.
not_link = I don't keep invite links.
not_unclear = I'm not sure that is a fact about { $name }. Please tell me in a message instead: my name, then “remember that …”.
confirm_unread = I can't read that language well enough to tell whether this is private. Only have me keep it if it isn't about health, beliefs, love, money or the law.
button_keep_other = Keep it, it isn't private
busy_member = One thing at a time: I'm still working on your earlier messages.
matter_affairs = someone's love life
matter_origin = where someone is from
matter_violence = violence
matter_family = family problems
matter_address = where someone lives
matter_unlawful = something embarrassing or illegal
welcome = You're welcome!
stays_saved = Okay. I keep what you just told me.
stays_deleted = I've already deleted it. Press Undo to get it back.
dropped_it = Okay.
forgot_last = 📌 Done, I've forgotten what you said here: “{ $text }”. The message itself stays in the channel until you delete it.
untrue_nothing = I'm not sure which fact you mean. Tell me what it says, like “forget that I live in Leeds”.
nothing_deleted = Okay. I haven't deleted anything.
message_gone = I've deleted my copy of that message for good. I can't bring it back.
forget_last_nothing = I have nothing of yours from the last ten minutes here.
say_the_wish = I'm not sure what to save or delete. Say it like “{ $bot } remember that …” or “{ $bot } forget that …”.
hello_no_ai = Hi! I can't chat here, but I remember things. Try “{ $bot } remember that …” or “{ $bot } what do you know about me”.
undo_nothing = There's nothing more here that I can undo. I undo only the last thing you had me do, and only for ten minutes.
redo_nothing = There's nothing here that I can bring back. I bring back only what you deleted or undid last, and only for ten minutes.
undo_which = I saved nothing from your last message. Before that, you told me this. Say “undo” once more if you mean it: “{ $text }”
which_message = Which message do you mean? I can't find one by or about { $name } with anything to remember. Reply to the right one with “remember this”.
know_today = Today:
know_before = Before:
know_earlier = Earlier:
know_perhaps_changed = Perhaps changed:
know_said_today = Said today:
button_details = Who told me?
button_details_of = Who told me about { $name }?
button_help_more = What else can you do?
help_more =
    • **{ $bot } remember for the server: the meeting is on Friday**
    • **{ $bot } remember this about @name**, as a reply to a message
    • **{ $bot } undo**, **{ $bot } no, I meant @name**, **{ $bot } forget #12**
    • In a thread where I answered you, you can leave out my name.
    • React with { $emoji } for an ur-mom joke. **{ $bot } no jokes about me** stops them.
    • **{ $bot } time zone Europe/Berlin** sets when this server's days begin (Manage Server).
    • Commands: /memory show, history, remember, forget, forget-key; /recall; /topics; /reset; /privacy; /status. In the menu of messages and members: Apps.
    • /settings and /memory-admin, if you manage this server
    I keep messages in channels I can read for { $retention } days, and make notes and facts from them. `/privacy` shows, exports and erases yours.
introduction = We haven't met yet: I remember what people say here. `/privacy` shows what I keep about you and lets you change that.
budget_used = This server has used up today's AI budget, so I can't chat until { $until }. Facts still work: “remember”, “forget” and “what do you know about …”.
button_settings = Set up
button_memory_on = Switch memory on
button_memory_off = Switch memory off
button_bare_names_on = Hear my name without a comma
button_bare_names_off = Hear my name only with a comma
button_captions_on = Describe pictures
button_captions_off = Don't describe pictures
button_read_ahead_on = Read days nobody asks about
button_read_ahead_off = Don't read days nobody asks about
button_settings_character = How I sound …
button_jokes_on = Switch jokes on
button_jokes_off = Switch jokes off
button_settings_general = Language, names, time zone …
button_settings_channel = A channel …
button_settings_budget = AI budget …
settings_title = **Set up** — only people who manage this server can change this
settings_on = on
settings_off = off
settings_memory = • Memory: **{ $state }**
settings_facts = • Facts: **{ $facts }**, of these **{ $faded }** fading (used only when asked) and **{ $stale }** no longer used until someone confirms them
settings_retention = • Messages are kept for **{ $days ->
    [one] { $days } day
   *[other] { $days } days
    }**
settings_language = • Language: **{ $language }**
settings_zone = • Time zone: **{ $zone }**
settings_names = • I answer to **{ $names }**, and to my nickname here
settings_bare_names = • Calling me without a comma, as in “Bot hello”: **{ $state }**
settings_captions = • Putting pictures and voice messages into words, so that I find them: **{ $state }**
settings_read_ahead = • Reading days that nobody asked about, so that I remember them: **{ $state }**
settings_character = • How I sound: **{ $character }**
settings_character_wrong = That doesn't work as a character: at most { $most } letters, without passwords, links, or anything private about people.
settings_teachers = • Who may tell me about others: **{ $who }**
settings_jokes = • Jokes: **{ $state }**
settings_budget = • AI requests today: **{ $used }**, no limit set here
settings_budget_of = • AI requests today: **{ $used }** of { $most }
settings_mode_off = • I'm off in { $channels }
settings_mode_talk = • I chat, but only keep what people ask me to remember, in { $channels }
settings_no_captions = • I don't describe pictures in { $channels }
settings_cannot_read = • I can't read { $channels }
settings_cannot_write = • I'm missing permissions in { $channels }
settings_all_channels = • I can read and write in every channel I can see
settings_more = and { $count } more
settings_saved = Changed the settings
settings_names_wrong = Please write up to { $most } names of 2 to 32 characters, separated by commas. Nothing was changed.
settings_retention_wrong = Messages can be kept for { $least } to { $most } days. Nothing was changed.
settings_budget_wrong = Please write a whole number, or leave it empty for no limit. Nothing was changed.
form_general = Language, names, time zone
form_character = How I sound here
form_channel = What I do in a channel
form_budget = AI budget
field_language = Language when I can't tell
field_zone = Time zone
field_names = Other names for me, separated by commas
field_character = Character
field_character_own = In your own words (if you chose that)
field_teachers = Who may tell me about others
field_retention = Days to keep messages (1–{ $most })
field_channel = Channel
field_mode = What I do there
field_captions = Pictures and voice messages there
field_budget = AI requests a day (empty: no limit)
language_any = whatever people write
character_usual = friendly, short, a little cheeky
character_warm = warm and patient
character_dry = deadpan and dry
character_lively = lively and playful
character_own = in your own words
who_anyone = anyone
who_self = no one (people can only tell me about themselves)
who_moderators = moderators
what_off = nothing
what_talk = chat only
what_remember = chat and remember
captions_yes = put into words
captions_no = leave alone
action_settings = changed the settings
command_settings = Set up what I do on this server
say_again = Undone. Please say it again with the right name.
which_of_two = I changed nothing: do you mean what you told me, or what somebody else just told me about you? Please say the right fact in full.
which_corrected = I changed nothing: what you told me last is about nobody. Please say the right fact again.
missed_today = In the last day, people have been talking in { $channels }.
missed_nothing_today = Nothing happened here in the last day.
opted_out_yourself = You asked me not to remember you, so I don't. You can change that with /privacy.
policy_contact = whoever runs me
policy_grace = { $days ->
    [0] on request
    [one] after { $days } day
   *[other] after { $days } days
    }
quoted = “{ $text }”
settings_memory_off = • Memory: **off** — I only keep what people ask me to remember
button_tour = Try it
button_try_remember = Remember something about me
button_try_know = What do you know about me?
form_try = Tell me something about yourself
field_try = For example: I play the tuba
only_on_servers = Facts belong to a server. Please press this button on a server instead.
tour =
    Three things to try:
    1. Tell me something about yourself. I'll show you the sentence I keep, with an *Undo* button.
    2. See what I know about you: every fact, who told me, and when.
    3. Decide what I may keep, or erase it all.
    In a channel you can do the same in words: **{ $bot } remember that I play the tuba**

# The page in a browser

command_page = Open your page in a browser: everything I know about you, where it comes from, and how to change it
button_page = Open my page
page_link =
    { $link }
    -# The link works once, within ten minutes, and only for you. Don't pass it on.
page_link_words = Open your page
page_local = -# It leads to the computer I run on. Whoever runs me can set PAGE_URL to open it to everyone.
page_off = Pages are switched off. Whoever runs me can switch them on with PAGE_PORT.
page_ask_there = Each server has its own page. Use /memory page in a server.
page_takes_long = That takes longer than usual. I'll still do it; reload this page in a moment.
page_a_channel = a channel
page_a_role = a role
page_message = message
page_today = today
page_before = before { $day }
page_operator = Operator
page_server_unnamed = your server
page_skip = Skip to the content
page_pages = Pages
page_sections = On this page
page_menu_me = Me
page_menu_people = People
page_menu_topics = Topics
page_menu_search = Search
page_menu_privacy = Privacy
page_menu_server = Server
page_sign_out = Sign out
page_times = Times are in this server's time zone: { $zone }.
page_what_you_see = You see what you could also read in Discord.
page_what_is_kept = What I keep, and how to stop it
page_previous = Previous
page_next = Next
page_number = Page { $page } of { $pages }
page_as_table = As a table
page_day = Day
page_save = Save
page_cancel = Cancel
page_show = Show
page_home = Go to my page
page_facts = Facts
page_days = Day by day
page_answers = My answers to you
page_changes = Changes
page_models = Sent to AI
page_settings = Settings
page_audit = Log
page_roll_back = Roll back
page_on_discord = { $name } on Discord
page_portrait = Answers about this member begin with this text. I wrote it { $day }.
page_facts_hint = I only use a fact in answers to people who could read it where it was said. Open one to see its sources, correct it, or delete it.
page_facts_of_hint = Only facts from channels you can read. Open one to see its sources.
page_no_facts = I don't know anything about you yet.
page_no_facts_hint = Tell me something in Discord: “Bot remember that I play chess”.
page_no_facts_of_hint = Nobody has told me anything that you may read.
page_group_check = Please check
page_group_check_hint = I picked these up myself, or nobody has confirmed them for a long time.
page_group_by_subject = You told me
page_group_by_subject_of = { $name } told me
page_group_by_subject_hint = Someone's own word counts most.
page_group_by_others = Others told me
page_group_by_others_of = Others told me
page_group_by_others_hint = If one of these is wrong, you can correct or delete it.
page_group_inferred = I picked this up
page_group_inferred_hint = From conversations, not from an order to remember.
page_only_you = only you see this
page_everyone_may = Everyone in this server may see it.
page_some_may = Only people who can read where it was said may see it.
page_fading = fading
page_stale = no longer used
page_holds = current
page_no_longer = no longer true
page_times_told = said { $count ->
    [one] once
   *[other] { $count } times
}
page_used = used { $count }×
page_used_long = I used it in { $count ->
    [one] one answer
   *[other] { $count } answers
} lately.
page_who_told = Who told me
page_days_hint = What I noted about you from conversations. If you have me forget a day, I also delete my copies of your messages from that day.
page_days_of_hint = What I noted about { $name } from conversations you can read.
page_no_days = Nothing noted yet.
page_no_days_hint = I read a day's messages when someone asks about it, or later when AI quota is left.
page_messages_week = Messages in the last 7 days
page_messages = Messages
page_changes_hint = Who changed what, for one year.
page_no_changes = No changes yet.
page_no_changes_hint = When someone tells me a fact, corrects it or deletes it, it appears here.
page_when = When
page_who = Who
page_what = What
page_whom = About
page_me_the_bot = I
page_undone = undone
page_restorable = No longer true
page_restorable_hint = Facts that newer ones replaced. You can restore them.
page_answers_hint = My last answers to you, from the last 7 days. See what each was based on.
page_no_answers = No answers in the last 7 days.
page_no_answers_hint = Ask me something in Discord. You can then look up here why I said it.
page_a_message = a question whose text I don't keep
page_words_gone = I don't keep the words of this answer. You can read it in Discord.
page_why = Why did I say that?
page_why_hint = What I knew and found when I wrote the answer, as far as you may see it.
page_why_unknown = I no longer know.
page_why_unknown_hint = I keep this for a few days only, and never for answers that others may not trace.
page_why_no_facts = No facts.
page_why_gone = { $count ->
    [one] One fact is gone since, or not for you to see.
   *[other] { $count } facts are gone since, or not for you to see.
}
page_why_kept_back = { $count ->
    [one] I withheld one fact about you: not everyone there may read it.
   *[other] I withheld { $count } facts about you: not everyone there may read them.
}
page_why_found = Messages I found
page_why_nothing = Nothing from memory.
page_why_nothing_hint = The answer used no facts and no search.
page_about = About { $name }
page_models_hint = What I sent to AI models from you or about you in the last 7 days, and what for: your messages, your questions, and what I know about you. Your direct messages to me also go to a model, but they aren't counted here.
page_no_models = I sent nothing from you or about you to an AI model in the last 7 days.
page_no_models_hint = When I send something, you'll see here what it was.
page_model = Model
page_calls = Calls
page_my_messages = Your messages
page_sent = Your words that were sent
page_sent_hint = Messages of yours that I sent to a model in the last 7 days. I left out any passwords and access keys in them.
page_people_hint = Members you can see facts about.
page_no_people = Nobody yet.
page_no_people_hint = When someone tells me a fact that you may read, its subject appears here.
page_facts_count = { $count ->
    [one] one fact
   *[other] { $count } facts
}
page_replaced = replaced
page_first_said = first said
page_lines_count = { $count ->
    [one] one line
   *[other] { $count } lines
}
page_topics_hint = What conversations with me decided or found out.
page_no_topics = No topics yet.
page_no_topics_hint = When a conversation with me ends with a result, I keep it here.
page_search_label = Search what you can read
page_search_results = Results
page_export_text = Download (text)
page_export_json = Download (JSON)
page_sessions = Signed in
page_sessions_hint = This browser stays signed in until { $until }, or until you sign out.
page_sign_out_everywhere = Sign out everywhere
page_numbers = Memory in numbers
page_numbers_hint = Counts only: nothing here shows what anyone said.
page_number_facts = Facts
page_number_members = Members they are about
page_number_notes = Notes
page_number_messages = Messages
page_number_topics = Topics
page_number_facts_only = Members who chose “facts only”
page_number_nothing = Members who chose “nothing”
page_number_ignored = Ignored members
page_month = The last 30 days
page_messages_day = Messages per day
page_calls_day = AI calls per day (limit: { $most })
page_no_plots = Nothing happened yet.
page_audit_hint = What managers and moderators did, also on pages like this one.
page_no_audit = Nothing yet.
page_roll_back_hint = Delete what someone told me about others in the last 7 days. You see it before anything is deleted.
page_no_teachers = Nobody has told me anything about others in the last 7 days.
page_no_teachers_hint = So there is nothing to roll back.
page_teacher = Told by
page_alone_offer = Open your page?
page_offer_who = You asked for this link as { $name } in “{ $server }”.
page_offer_open = Open my page
page_offer_hint = The link works once, until { $until }. You stay signed in on this browser for up to 12 hours. Not you? Close this window: nothing was opened.
page_alone_expired = This link no longer works
page_alone_expired_hint = A link works once, within ten minutes. Get a new one in Discord with /memory page.
page_alone_signed_out = You are signed out
page_alone_signed_out_hint = To open your page, use /memory page in your Discord server.
page_alone_over = Please sign in
page_alone_over_hint = Your session has ended, or you have left the server. Get a new link in Discord with /memory page.
page_alone_denied = Nothing here for you
page_alone_denied_hint = Either this page doesn't exist, or you may not see it.
page_alone_busy = Too many requests
page_alone_busy_hint = Wait a minute, then try again.
page_alone_away = I can't reach my memory or Discord
page_alone_away_hint = Nothing is lost. Try again in a moment.
page_alone_error = Something went wrong
page_alone_error_hint = Nothing else is affected. You can go back and try again.
page_alone_erased = Done
page_alone_erased_hint = You are signed out.
page_health = Health
page_healthy = Everything works.
page_loops = Background jobs
page_name = Name
page_failures = Failures
page_error = Last error
page_parked = Failed jobs
page_parked_hint = Run urmom-bot parked to retry or drop them.
page_nothing = None.
page_spending = AI use
page_calls_today = Calls today
page_tokens_today = Tokens today
page_tokens = Tokens
page_prompts = The last prompts
page_prompts_hint = How many tokens each part of a prompt had. The words are not kept.
page_parts = Parts
page_sizes = Tables
page_rows = Rows (estimate)
table_page_access = links and sessions of pages in a browser
page_do_confirm = Still true
page_do_correct = Correct
page_do_strike = Forget
page_do_strike_day = Forget this day
page_do_strike_week = Forget this week
page_do_strike_month = Forget this month
page_do_drop_line = Delete
page_do_restore = Restore
page_conclusions = Conclusions
page_conclusions_hint = What conversations with me decided or found out, where it names you or rests on your words.
page_no_conclusions = No conclusions yet.
page_by_kind = By kind
page_kind = Kind
page_domain_work = Work
page_domain_preferences = Preferences
page_domain_decisions = Decisions
page_domain_personal = Personal
page_domain_projects = Projects
page_channels = Channels
page_channels_hint = Those that you can read.
page_channel = Channel
page_what_i_do = What I do
page_who_reads = Who may hear it
page_read_until = Read until
page_missing = Missing permissions
page_mode_off = nothing
page_mode_talk = just chat
page_mode_remember = chat and remember
page_everyone = everyone
page_some = those who can read it
page_ai_uses = What the AI is used for
page_what_for = Purpose
page_use_reply = Answers
page_use_memory = Notes and short texts about members
page_use_digest = Results of conversations
page_use_media = Pictures and voice messages
page_use_ahead = Days nobody asked about
button_settings_posts = Recap, birthdays …
button_recap_preview = Preview the recap
settings_recap = • A recap every Monday: **{ $state }**
settings_birthdays = • Birthday wishes: **{ $state }**
settings_posts_in = • Those posts go in { $channel }
form_posts = What I post on my own
field_post_channel = Where I post
field_recap = A recap every Monday
field_birthdays = Birthday wishes
recap = **{ $since } to { $until }: our week**
recap_decided = **Decided**
recap_happened = **What happened**
recap_helped = **Who helped**
recap_quotes = **Quotes of the week**
recap_end = -# From public channels. If you don't want to be in it, see `/privacy`.
recap_previewed = -# Only you see this. It's the recap of the last seven days as I'd write it now.
recap_without_ai = -# Only you see this. I couldn't reach my AI, so here are my notes as they are.
recap_empty = I noted nothing in the last seven days that belongs in a recap.
birthday_wish = 🎂 Happy birthday, { $names }!
table_posts = what I posted on my own
table_model_calls = records of how much was sent to AI models
page_talks = Ongoing conversations
page_talks_hint = A conversation ends when nobody writes to me for { $minutes } minutes. What came out of it then appears below.
page_talk = { $count ->
    [one] { $count } message
   *[other] { $count } messages
    }
page_offline = I can't be reached right now. Nothing you press will work until I'm back.
page_again = Try again
page_sign_in = Sign in with Discord
page_alone_choose = Choose a server
page_alone_choose_hint = I know you from these servers. Choose one to see what I know about you there.
page_alone_not_signed_in = You are not signed in
page_alone_not_signed_in_hint = Discord didn't say who you are. Try again, or get a link in Discord with /memory page.
page_alone_unknown = I don't know anything about you
page_alone_unknown_hint = I have nothing about you on any server I'm on. To see your page anyway, use /memory page in your Discord server.
missed_to_you = **Addressed to you**
missed_yours = **About you**
missed_news = **Also**
missed_more = I noted { $count ->
    [one] one more thing
   *[other] { $count } more things
    }. Just ask if you want to hear.
page_used_for = Used for
page_confidence_high = Confidence: high.
page_confidence_medium = Confidence: medium.
page_confidence_low = Confidence: low.
page_week = Week of { $since }
page_tokens_day = AI tokens per day, which is what you pay for
page_no_facts_of = I don't know anything about { $name } that I can show you.
correct_sensitive = That's sensitive. I only keep things like that for you alone, and only if you agree. Tell me in chat: “Bot remember that …”, and I'll ask you to confirm.
consent_explicit_do = Keep only facts
consent_off_do = Keep nothing
page_calls_day_free = AI calls per day (no limit)
page_processes = Processes
page_processes_hint = All processes that share this database. Anything else on this page that doesn't name a process belongs to process { $process }.
page_started = Started
page_alive = Last seen
page_shards = Shards
page_waiting = Waiting
page_number_faded = Of these, fading (used only when asked)
page_number_stale = Of these, no longer used until someone confirms them
