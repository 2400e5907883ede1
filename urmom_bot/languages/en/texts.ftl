remembered = 📌 Got it: { $fact }
remembered_as_said = 📌 Got it, in your words: { $fact }
already_known = 📌 I knew that, and it still holds: { $fact }
subject_unknown = Who is that? I don't know anyone called “{ $name }” here. Mention them (@name) and I will.
subject_missing = Who is that about? Mention them (@name) or start with their name: “{ $bot } remember that @name likes chess”.
which_of = Who do you mean: { $names }? Mention the right one (@name).
forgotten = 📌 Done, forgotten: { $facts }
nothing_to_forget = I don't have anything like that about { $name }.
nearest =
    The closest things I know:
    { $facts }
    To forget one, say “{ $bot } forget #number”.
candidates =
    Which of these shall I forget about { $name }?
    { $facts }
    Say “{ $bot } forget #number”.
no_such_fact = I have no fact #{ $number } here.
not_yours = Only { $name }, whoever told me, or a moderator can make me forget that: { $facts }
know = **{ $name }**: { $context }
know_facts =
    What I was told:
    { $facts }
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
teller_self = themselves
someone = someone
jokes_off = 📌 No more jokes about you.
jokes_on = 📌 Jokes about you are fine again.
zone_set = 📌 This server's days now follow { $zone }.
zone_denied = Setting the time zone takes the permission Manage Server.
zone_unknown = I don't know a time zone called { $zone }. Write one like Europe/Berlin or UTC.
no_ai = I can't chat here, because no AI is set up. I do remember and tell facts: say “{ $bot } help”.
quota_out = I've used up my AI quota until { $until }, so no chatting for now. Facts still work: remember, forget, what do you know about …
ai_away = My AI isn't answering right now. Facts still work: remember, forget, what do you know about …
ai_refused = My AI declined to answer that.
ai_unusable = I couldn't make sense of my AI's answer. Ask me again in other words?
keep_this = Keep this? “{ $text }”
forget_this =
    Shall I forget one of these?
    { $facts }
not_told = I can't say anything about that.
known_anyway =
    What I know without it:
    { $facts }
error = Something went wrong on my side, and I couldn't do that. If it happens again, give this code to whoever runs me: { $code }
database_away = I can't reach my memory right now. I'll get to this as soon as it's back; nothing you write is lost. (code { $code })
away_done = That is done. I was interrupted before I could tell you.
away_done_for = { $name }, what you asked me to do a while ago is done. I was interrupted before I could tell you.
away_tried_for = { $name }, I only now got to what you asked me a while ago, and nothing was changed. Try it again if you still want it.
away_late = I was away when you wrote this. { $answer }
gave_up = I tried this again and again, and could not do it. Whoever runs me can look at it; ask me in other words meanwhile.
away_missed = I was away when you asked. If you still want to know, ask me again.
direct_messages = I remember people per server; of direct messages only the talk itself, for an hour. Say that in a server where I am.
attached = That got long; here it is as a file.
remembered_private =
    📌 Kept for you alone: { $fact }
    Nobody else will hear it, and no model either. You see it with /memory show.
replaced = Instead of: { $facts }
not_empty = What shall I remember? Reply to a message with “remember this”, or say: { $bot } remember that …
not_secret = That looks like a password, a key or a card number, so I won't keep it. Better delete the message, too.
not_own_words = Those are my own words. Reply to something a person wrote, and I'll remember that.
not_gone = That message is gone, so I keep nothing of it.
not_named = Somebody named there doesn't want to be remembered, so I won't keep it.
not_order = I only remember things about people, so that one I won't keep.
not_sensitive = That touches { $matter }. I only keep such things when people tell me about themselves.
not_confirm = That touches { $matter }. Tell me yourself, and confirm it.
not_opted_out = { $name } doesn't want to be remembered, so I won't keep anything about them. What I keep of you is under /privacy.
not_teachers = On this server not everybody may tell me things about others. { $name } can tell me themselves.
not_forgotten = I won't keep that. Only { $name } can tell me.
confirm_sensitive = That touches { $matter }. I keep such things only if you confirm, and tell them to you alone. The words above stay in the channel as long as you leave them there.
dropped = Not kept.
keep_not = That is not yours to decide, or its time is over.
matter_health = health
matter_sexuality = sexuality
matter_religion = religion
matter_politics = politics
matter_finances = money matters
matter_phone = a phone number
matter_minor = the age of a minor
matter_other = something sensitive
forgotten_more = And { $count ->
        [one] one
       *[other] { $count }
    } more went with it that no longer held, or that I only told elsewhere.
forgotten_talk = 📌 Done, that's gone everywhere.
forgotten_source = 📌 What you told me is gone. Others told me that, too, so I still know it: { $facts }
forgotten_partly = 📌 I removed what I found, but not everything is gone.
receipt_clean = Removed: { $removed }. I searched { $tables ->
        [one] { $tables } place
       *[other] { $tables } places
    } again and found nothing.
receipt_left = Removed: { $removed }. A second search still found: { $left }.
receipt_removed = removed: { $removed }
receipt_none = Only the person it is about, whoever asked for it, and moderators can see what was removed.
receipt_attached = What was removed is in the file.
table_inbox = things I was asked
table_chat_history = messages
table_facts = facts
table_fact_sources = sources of facts
table_user_facts = texts made of facts
table_notes = notes
table_historical_summaries = summaries of weeks
table_contexts = contexts
table_replies = notes on replies
table_audit = audit
table_suppressions = suppressions
table_members = names
table_member_names = searchable names
table_slices = slices of talk
table_vectors = vectors
undo_not = That can't be undone any more, or not by you: it works for ten minutes, for the person it's about, whoever did it, and moderators. What people took away about themselves, only they bring back.
undone = 📌 Undone by { $name }.
button_undo = Undo
button_receipt = What was removed?
button_keep_it = Keep it
button_keep = Keep it, just for me
button_drop = Don't keep it
button_confirm = #{ $number } still holds
button_correct = Correct #{ $number }
button_strike = Strike #{ $number }
button_strike_day = Strike { $date }
button_restore = Restore #{ $number } { $fact }
button_privacy = What is stored about me
button_policy = What I store
button_gone = That button is of an older version of me. Use the command again.
tab_facts = Facts
tab_days = Summaries
tab_history = History
show_facts = **{ $name }**: { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    } (page { $page } of { $pages })
show_by_self = __Told by { $name }__
show_by_others = __Told by others__
show_inferred = __Drawn from talk__
show_stale = { $count ->
        [one] One is stale
       *[other] { $count } are stale
    }: I tell nobody until somebody confirms { $count ->
        [one] it
       *[other] them
    }.
show_days = **{ $name }**: { $count ->
        [one] { $count } summary
       *[other] { $count } summaries
    } (page { $page } of { $pages })
show_no_days = Nothing is summed up.
show_history = **{ $name }**: what was changed (page { $page })
show_no_history = Nothing was changed.
day_of = { $date }
day_before = the days up to { $date }
day_struck = 📌 The summary of { $date } is gone, and with it your messages of that day, but those that told a fact.
mark_faded = (not confirmed for long: told only when asked for)
mark_stale = (stale: told to nobody until confirmed)
mark_private = (you alone see this)
mark_link = source
mark_told = ({ $times ->
        [one] told once
       *[other] told { $times } times
    })
mark_undone = (undone)
confirmed = 📌 #{ $number } holds, noted.
corrected = 📌 #{ $number } now says: { $fact }
restore_not = That can't be restored: what the person said in its place, only they take back.
restored = 📌 It holds again: { $fact }
change_line = { $date } { $who } { $action } { $facts }
action_remember = told
action_correct = corrected
action_confirm = confirmed
action_restore = restored
action_forget = had forgotten
action_forget_key = had a kind of facts forgotten
action_forget_day = had a summary forgotten
action_rollback = rolled back
action_pending = was asked about something sensitive
action_consent = decided what may be kept
action_ignore = had ignored
action_unignore = no longer has ignored
action_erase = erased everything
action_left = left, and was forgotten
action_purge_member = purged a member
action_purge_channel = purged a channel
action_teachers = decided who may teach
action_log = set the log channel
action_look = looked at what is stored
action_base_role = said which role counts as everyone
action_mode = set a channel's mode
form_remember = Remember this
form_correct = Correct #{ $number }
form_erase = Erase everything
field_about = About whom
field_sentence = What to remember
field_audience = Who may see it
field_erase = Type “{ $word }”; it can't be undone
choice_everyone = Everyone on this server
choice_here = Those who can read this channel
choice_me = Me alone
remember_people = I remember what people wrote, in words. Choose such a message.
channel_off = I am switched off in this channel.
why = What I was given for that answer:
why_unknown = I keep what an answer was given for { $days ->
        [one] { $days } day
       *[other] { $days } days
    }, and of this one I have nothing. Confirmations and help are given nothing.
why_nothing = Nothing from memory.
why_not_mine = Choose one of my own answers.
why_summaries = Summaries: { $levels }. Sources: { $links }
why_no_links = no longer there
why_gone = { $count ->
        [one] { $count } more has
       *[other] { $count } more have
    } changed or been forgotten since.
why_kept_back = Kept back, because not everyone here may read where I was told: { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    }.
level_current_day = today
level_days_2_7 = the six days before
privacy_offer = What is stored about you, what you let me keep, your export, and a way to erase it all: open the panel. I erase nothing on words alone.
privacy_nothing = Nothing is stored about you.
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
privacy_consent = You let me keep { $where }: **{ $consent }**.
privacy_ignored = Those who manage this server had me ignore you: I keep nothing of you here.
where_here = on this server
where_everywhere = everywhere
where_other = server { $guild }
consent_on = everything
consent_explicit = only what people tell me as a fact
consent_off = nothing
consent_sure_off = From now on I would keep nothing about you { $where }, not even from others' words. All of this goes:
consent_sure_explicit = From now on I would keep only what people tell me as a fact about you { $where }. Your messages and the summaries of them go:
consent_undo = For ten minutes you can undo it here.
form_consent = What I keep
field_consent = Type “{ $word }”; undo works 10 minutes
consent_now_on = From now on I may remember you { $where }.
consent_now_explicit = From now on I keep only what people tell me as a fact about you { $where }. Your messages and the summaries of them are gone.
consent_now_off = From now on I keep nothing about you { $where }, not even from others' words. What was stored is gone.
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
export_done = Everything stored about you, as JSON and to read.
erase_not = Nothing was erased: the word was another.
erased = Everything stored about you is gone; a second search found nothing. What others wrote themselves stays theirs; to be left out of that too, choose “nothing”. What was removed is in the file.
erased_left = It is gone, but a second search still found something; the file says where. Press again, or tell whoever runs me.
greeting = Hi! I remember the people of this server. I read the channels I can see, keep messages for { $retention } days, and sum up what happens, so that my answers know you. Everyone can see, correct and erase what I know about them with /privacy. If you manage this server, press “Set up”.
manage_denied = That takes the permission Manage Server.
teachers_anyone = Anyone may teach me facts about others; each fact says who told it, and the person it is about can strike it.
teachers_self = From now on people teach me facts about themselves alone.
teachers_moderators = From now on only moderators teach me facts about others.
base_role_set = { $role } counts as everyone: what its members can read is known in all channels they can read. In a channel that newcomers can read too, I only tell what was said there.
base_role_none = No role counts as everyone: @everyone does.
base_role_is = { $role } counts as everyone.
base_role_likely = It looks as if every member here has { $role }: if that is so, say it with `/memory-admin base-role`.
log_set = Uses of these commands are told in { $channel }.
log_off = Uses of these commands are told in no channel.
mode_off = I am off in { $channel }: I read nothing there and say nothing. What was kept is kept until you purge it.
mode_talk = In { $channel } I talk, and remember nothing of what is said there, but facts I am told to.
mode_remember = In { $channel } I talk and remember.
ignored = I ignore { $name } from now on: no answers, and nothing kept of them. What is stored stays until you purge it.
unignored = I ignore { $name } no longer.
button_purge_channel = Purge all I keep of this channel
button_purge_member = Purge all I keep of { $name }
button_rollback = Take back { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    }
purge_channel_sure = Shall all that I keep of { $channel } go: messages, facts told there, and what was made of them? That can't be undone.
purge_member_sure = Shall everything I keep of { $name } go: { $messages ->
        [one] { $messages } message
       *[other] { $messages } messages
    }, { $facts ->
        [one] { $facts } fact
       *[other] { $facts } facts
    }, { $summaries ->
        [one] { $summaries } summary
       *[other] { $summaries } summaries
    }? That can't be undone.
purged_channel = Everything I kept of { $channel } is gone: { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }.
purged_member = Everything I kept of { $name } is gone: { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }.
rollback_none = { $name } taught me nothing in that time.
rollback_sure = { $name } taught me { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    } in that time. Shall { $count ->
        [one] it
       *[other] they
    } go? You can undo it for ten minutes.
rolled_back = { $count ->
        [one] The fact
       *[other] { $count } facts
    } that { $name } taught me { $count ->
        [one] is
       *[other] are
    } gone.
audit = **Audit** (page { $page })
audit_empty = Nothing yet.
command_memory = What I remember of people here
command_show = What I know about you or somebody else here: facts, summaries, sources
command_history = What was changed about you or somebody else, and what can be restored
command_remember = Remember something about somebody
command_forget = Forget something about you or somebody else
command_forget_key = Forget all facts of one kind
command_privacy = What is stored about you, what you let me keep, export, erase
command_help = What I can do, and how to say it
command_status = How I am doing: version, messages stored, AI quota
command_admin = For those who manage this server
command_teachers = Who may teach facts about others
command_channel = What I do in a channel: nothing, talk, or remember
command_ignore = Neither answer nor remember a member
command_purge_channel = Remove all I keep of a channel
command_purge_member = Remove all I keep of somebody
command_rollback = Take back what somebody taught me of late
command_audit = What was done with these commands
command_base_role = Which role every member has
command_log = Tell uses of these commands in a channel
option_member = Whom; yourself, if you leave it out
option_whom = Whom
option_fact = What to remember, in a sentence
option_which = Which fact; type to choose one, or say it in words
option_key = Which kind, such as job or hobby
option_teachers = anyone, self (everybody of themselves), moderators
option_mode = off, talk, remember
option_channel = Which channel; this one, if you leave it out
option_ignored = False to end it
option_teacher = Who taught it
option_hours = In the last so many hours
option_base_role = The role; @everyone, if there is none
option_log = Which channel; none, if you leave it out
menu_remember = Remember this
menu_why = Why?
menu_what = What do you remember?
help =
    Start with “{ $bot }”, mention me, or reply to me.
    • To save something: **{ $bot } remember that Ann plays the cello**
    • To see what I know: **{ $bot } what do you know about @name** (or “me”)
    • To find something: **{ $bot } who fixed the kiln?**
    • To delete something: **{ $bot } forget that …**
    • To catch up: **{ $bot } what did I miss**
    • To stop me: `/privacy`
status =
    Version { $version }. Messages of this server stored: { $messages }; waiting to be written: { $pending }.
    Days follow { $zone }.
    { $models }
status_model = { $model }: { $calls } calls today{ $limit }, { $tokens } tokens{ $blocked }
status_blocked = ; out of quota until { $until }
presence_facts_only = Facts only: my AI does not answer
presence_facts_only_until = Facts only until { $until }
presence_nothing_new = Reading nothing new: my AI does not answer
presence_nothing_new_until = Reading nothing new until { $until }
status_bad_key = ; its key is not accepted
status_unknown_model = ; there is no model of this name
status_minute_out = ; out of quota for this minute
status_day_out = ; out of quota for today
status_unreachable = ; it does not answer
status_dropped = Events of Discord I could not read: { $count }
status_whole = Nothing is missing of this channel since { $since }
status_missing = I am still reading what was written here since { $since }
status_skew = The clock of my machine is { $seconds } seconds off; whoever runs me should set it
status_catching_up = Catching up on what I missed: { $read } of { $count } channels
status_parked = Work that cannot be done until whoever runs me looks at it: { $count } (urmom-bot parked)
status_failing = Background work that keeps failing: { $names }
status_no_ai = No AI is set up: I remember and tell facts only.
found_anyway =
    But this was said here:
    { $lines }
recall_found =
    Here's what I found:
    { $lines }
recall_nothing = I found nothing about that here.
missed = Since you last wrote ({ $since }), people talked: { $channels }.
missed_nothing = Nothing happened here since you last wrote ({ $since }).
command_recall = Find what was said here
option_question = What are you looking for?
why_found = Found by a search: { $links }
reset_done = 📌 Done, we start afresh. What we settled stays with me.
reset_nothing = We have no talk going on here.
busy = One moment, I'm still answering others here. Ask me again when I'm done.
direct_session = I keep this talk for an hour at the most, and nothing of it afterwards.
answered_before = You asked that before, and I said:
gathered = I picked this up from what you said. Is it right? { $fact }
status_session = { $channel }: { $turns } turns, { $tokens } tokens in the last prompt ({ $parts }){ $over }
status_over = — over its budget: { $parts }
command_reset = Start our conversation afresh
table_sessions = conversations
table_turns = turns of conversations
table_segments = parts of conversations
table_conclusions = conclusions
table_topics = topics
table_answers = answers kept
topics_heading = { $count ->
        [one] { $count } topic
       *[other] { $count } topics
    }
topics_none = There are no topics yet: they come from what you settle when you talk with me.
topic_line = **{ $name }** ({ $count ->
        [one] { $count } line
       *[other] { $count } lines
    }), { $when }
topic_heading = **{ $name }**: { $count ->
        [one] { $count } line
       *[other] { $count } lines
    }
topic_none = I know no such topic here.
topic_denied = Topics are edited by moderators; your own lines you can delete yourself.
topic_renamed = { $name } is called { $new } now.
topic_name_taken = It can't be called { $new }: there is one already, or that is no name.
topic_merged = The lines of { $name } are in { $into } now.
topic_merge_not = Those two can't be merged: not the same people may read them.
topic_dropped = The page { $name } is gone; what stood on it is still found when asked for.
button_drop_line = Delete { $number }
command_topics = Show this server's topics
command_topic = Topics: what was settled and found out
command_topic_show = Show a topic's page
command_topic_rename = Give a topic another name
command_topic_merge = Move a topic's lines to another
command_topic_drop = Delete a topic's page; its lines stay
option_topic = The topic
option_new_name = Its new name
option_into = The topic that takes them
status_prompts_over = Prompts over their budget since I started: { $parts }
share_used = You've used your share of my AI for now, so that others get theirs. Ask me again { $until }. Facts still work: remember, forget, what do you know about …
not_full = I keep only so many facts told by one person about another, and these are all in use. Forget one you told, then tell me this again.
not_link = I keep no invites.
not_unclear = That's no plain statement about { $name }. Tell me in a message instead ("Bot remember that …").
confirm_unread = I can't read that language well enough to tell whether it is something private. Keep it only if it is nothing about health, beliefs, love, money or the law.
button_keep_other = It is nothing private: keep it
busy_member = One thing at a time: I'm still at your earlier messages.
matter_affairs = love affairs
matter_origin = where somebody comes from
matter_violence = violence
matter_family = family troubles
matter_address = where somebody lives
matter_unlawful = something shaming or unlawful
welcome = You're welcome!
dropped_it = Okay.
undo_nothing = There's nothing of yours here that I can undo; after ten minutes I can't any more.
which_message = Which message do you mean? I see none by { $name }, or about them, that tells me something. Reply to it with “remember this”.
know_today = Today:
know_before = Before:
button_details = Who told me?
button_help_more = What else?
help_more =
    • **{ $bot } remember this about @name**, as a reply to a message
    • **{ $bot } undo**, **{ $bot } no, I meant @name**, **{ $bot } forget #12**
    • In a thread where I answered you, you can leave out my name.
    • React with { $emoji } for an ur-mom joke. **{ $bot } no jokes about me** stops them.
    • **{ $bot } time zone Europe/Berlin** sets when this server's days begin (Manage Server).
    • Commands: /memory show, history, remember, forget, forget-key; /recall; /topics; /reset; /privacy; /status. In the menu of messages and members: Apps.
    • /settings and /memory-admin, if you manage this server
    I keep messages in channels I can read for { $retention } days, and make notes and facts from them. `/privacy` shows, exports and erases yours.
introduction = We haven't met: I remember what people say here. `/privacy` shows what I keep of you, and switches it off.
budget_used = This server has used up the AI it allows itself today, so no chatting until { $until }. Facts still work: remember, forget, what do you know about …
button_settings = Set up
button_memory_on = Memory: switch on
button_memory_off = Memory: switch off
button_jokes_on = Jokes: switch on
button_jokes_off = Jokes: switch off
button_settings_general = Language, names, times …
button_settings_channel = A channel …
button_settings_budget = AI budget …
settings_title = **Set up** — only those who manage this server can change this
settings_on = on
settings_off = off
settings_memory = • Memory: **{ $state }**
settings_retention = • Messages are kept for **{ $days ->
    [one] { $days } day
   *[other] { $days } days
    }**
settings_language = • Language: **{ $language }**
settings_zone = • Days follow **{ $zone }**
settings_names = • I answer to **{ $names }**, and to my nickname here
settings_teachers = • Who may teach me about others: **{ $who }**
settings_jokes = • Jokes: **{ $state }**
settings_budget = • AI requests today: **{ $used }**, no limit of your own
settings_budget_of = • AI requests today: **{ $used }** of { $most }
settings_mode_off = • I am off in { $channels }
settings_mode_talk = • I only talk, and store nothing that is said, in { $channels }
settings_cannot_read = • I can't read { $channels }
settings_cannot_write = • I lack permissions in { $channels }
settings_all_channels = • I can read and write in every channel I see
settings_more = and { $count } more
settings_saved = Changed the settings
settings_names_wrong = Up to { $most } names, with commas between, of 2 to 32 characters each. I changed nothing.
settings_retention_wrong = Messages can be kept for { $least } to { $most } days. I changed nothing.
settings_budget_wrong = Write a whole number, or leave it empty for no limit. I changed nothing.
form_general = Language, names, times
form_channel = What I do in a channel
form_budget = AI budget
field_language = Language when I can't tell
field_zone = Time zone
field_names = More names for me (a, b, c)
field_teachers = Who may teach me about others
field_retention = Days that messages are kept (1–{ $most })
field_channel = Channel
field_mode = What I do there
field_budget = AI requests a day (empty: no limit)
language_any = as people write
who_anyone = anyone
who_self = nobody but the person
who_moderators = moderators
what_off = nothing
what_talk = only talk
what_remember = talk and remember
action_settings = changed the settings
command_settings = Set up what I do on this server
say_again = That's taken back. Say it again with the right name.
missed_today = In the last day, people talked: { $channels }.
missed_nothing_today = Nothing happened here in the last day.
opted_out_yourself = You asked me not to remember you, so I don't. You can change that under /privacy.
policy_contact = whoever runs this bot
policy_grace = { $days ->
    [0] on request
    [one] after { $days } day
   *[other] after { $days } days
    }
quoted = “{ $text }”
settings_memory_off = • Memory: **off** — I store nothing that is said here, only what I am told to remember
button_tour = Try it
button_try_remember = Remember something about me
button_try_know = What do you know about me?
form_try = Remember something about me
field_try = For example: I play the tuba
only_on_servers = Facts belong to a server. Please press this there.
tour =
    Three things to try:
    1. Tell me something about yourself. I'll show you the sentence, with *Undo*.
    2. See what I know about you: every fact, who said it, and when.
    3. Decide what I may keep, or erase it all.
    In a channel you can do the same in words: **{ $bot } remember that I play the tuba**
