"""Our own reader of time expressions: words of five languages, a table of rules over them, and the calendar.

`lexicon` and `tokens` make words of a hint, `grammar` applies rules to them, `amounts`, `clock`, `dates`, `points` and
`spans` are the rules, `calendar`, `resolve` and `ranges` say what came out of them means at an instant, and `reader` is
the door.
"""
