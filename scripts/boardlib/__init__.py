"""What the scoreboard is made of: contenders, runs, judges, statistics, tables and plots."""
