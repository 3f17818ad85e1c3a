"""hopbine compare: a user's own job with and without hopbine in turns, with the noise beside it."""
