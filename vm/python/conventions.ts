/**
 * How natives take their arguments in CPython 3.11, as far as texts of wrong calls follow from it. Made from what CPython says
 * (test/python/library/wrong-calls.test.ts); a native that is not here follows no rule.
 */

/** Ways of C: see `FAULTS` of `call-faults.ts`. */
export type CTaking = "nothing" | "one" | "positions" | "tuple" | "names" | "unnamed";

/** `class`: a function of Python that is called on a type, or that makes a value of one, and gets it as its first argument. */
export type Convention = {
  readonly takes: CTaking | "python" | "class";
  /** How the callee is named in full: with its type, with the module that it says it is from, as the `__init__` of its type, or by its word alone. */
  readonly callee: "owner" | "module" | "init" | "word";
};

/** Modules in C that natives say they are from. */
export const ORIGINS: { readonly [module: string]: string } = {
  functools: "_functools",
  operator: "_operator",
  heapq: "_heapq",
  bisect: "_bisect",
  csv: "_csv",
  io: "_io",
  hashlib: "_hashlib",
  hmac: "_hashlib",
};

/** Natives whose texts name them differently. */
export const CALLED: { readonly [name: string]: string } = {
  "collections.deque.rotate": "deque.rotate",
  "bisect.bisect": "bisect_right",
  "bisect.insort": "insort_right",
  "io.StringIO.writelines": "_IOBase.writelines",
  "io.StringIO.flush": "_IOBase.flush",
  "datetime.timedelta": "__new__",
  "calendar.monthcalendar": "Calendar.monthdayscalendar",
  "hashlib.md5": "openssl_md5",
  "hashlib.sha1": "openssl_sha1",
  "hashlib.sha224": "openssl_sha224",
  "hashlib.sha256": "openssl_sha256",
  "hashlib.sha384": "openssl_sha384",
  "hashlib.sha512": "openssl_sha512",
  "hashlib.new": "__hash_new",
};

export const CONVENTIONS: readonly (readonly [Convention, string])[] = [
  [{ takes: "one", callee: "word" }, `len any all callable repr ascii chr ord abs bin oct hex io.StringIO.writelines`],
  [
    { takes: "names", callee: "word" },
    `sum min max zip int round pow int.to_bytes int.from_bytes bool.from_bytes list.sort collections.OrderedDict.fromkeys
collections.OrderedDict.move_to_end collections.OrderedDict.setdefault collections.OrderedDict.pop collections.OrderedDict.popitem
collections.deque itertools.count itertools.repeat itertools.compress itertools.accumulate itertools.groupby itertools.product
itertools.permutations itertools.combinations itertools.combinations_with_replacement functools.cmp_to_key bisect.bisect bisect.bisect_right
bisect.bisect_left bisect.insort bisect.insort_right bisect.insort_left math.isclose math.prod io.StringIO str str.encode str.expandtabs
str.rsplit str.split str.splitlines bytes bytes.decode bytes.hex re.Pattern.search re.Pattern.match re.Pattern.fullmatch re.Pattern.findall
re.Pattern.finditer re.Pattern.split re.Pattern.sub re.Pattern.subn re.Match.groups re.Match.groupdict re.Match.expand
datetime.date.fromisocalendar datetime.date.replace datetime.date.strftime datetime.datetime.combine datetime.datetime.fromtimestamp
datetime.datetime.fromisocalendar datetime.datetime.replace datetime.datetime.isoformat datetime.datetime.astimezone datetime.time.replace
datetime.time.isoformat datetime.time.strftime datetime.timedelta datetime.timezone hashlib.md5 hashlib.sha1 hashlib.sha224 hashlib.sha256
hashlib.sha384 hashlib.sha512 print`,
  ],
  [
    { takes: "positions", callee: "word" },
    `filter reversed iter next isinstance issubclass hasattr getattr format float bool divmod list tuple range slice dict dict.update set
frozenset collections.deque.rotate itertools.cycle itertools.pairwise itertools.starmap itertools.takewhile itertools.dropwhile
itertools.filterfalse functools.reduce time.asctime`,
  ],
  [
    { takes: "nothing", callee: "owner" },
    `int.bit_length int.bit_count int.conjugate int.as_integer_ratio float.is_integer float.conjugate float.as_integer_ratio float.hex list.clear
list.copy list.reverse dict.popitem dict.clear dict.copy dict.keys dict.values dict.items set.union set.intersection set.difference set.copy
frozenset.union frozenset.intersection frozenset.difference frozenset.copy set.pop set.clear set.update set.intersection_update
set.difference_update collections.defaultdict.copy collections.OrderedDict.copy collections.OrderedDict.keys collections.OrderedDict.values
collections.OrderedDict.items collections.deque.pop collections.deque.popleft collections.deque.clear collections.deque.copy
collections.deque.reverse functools._lru_cache_wrapper.cache_info functools._lru_cache_wrapper.cache_clear math.hypot math.gcd math.lcm
io.StringIO.getvalue io.StringIO.tell io.StringIO.readable io.StringIO.writable io.StringIO.seekable io.StringIO.close
decimal.Decimal.copy_abs decimal.Decimal.copy_negate decimal.Decimal.adjusted decimal.Decimal.as_tuple decimal.Decimal.as_integer_ratio
decimal.Decimal.is_nan decimal.Decimal.is_infinite decimal.Decimal.is_finite decimal.Decimal.is_zero decimal.Decimal.is_signed str.capitalize
str.casefold str.isalnum str.isalpha str.isascii str.isdecimal str.isdigit str.isidentifier str.islower str.isnumeric str.isprintable
str.isspace str.istitle str.isupper str.lower str.swapcase str.title str.upper re.Match.group datetime.date.isoformat datetime.date.weekday
datetime.date.isoweekday datetime.date.toordinal datetime.date.isocalendar datetime.date.ctime datetime.date.timetuple datetime.datetime.date
datetime.datetime.time datetime.datetime.timetz datetime.datetime.timestamp datetime.datetime.utcoffset datetime.datetime.tzname
datetime.datetime.dst datetime.datetime.utctimetuple datetime.time.utcoffset datetime.time.tzname datetime.time.dst
datetime.timedelta.total_seconds hashlib.HASH.digest hashlib.HASH.hexdigest hashlib.HASH.copy`,
  ],
  [
    { takes: "one", callee: "owner" },
    `float.fromhex list.append list.extend list.remove list.count tuple.count range.index range.count slice.indices set.symmetric_difference
set.issubset set.issuperset set.isdisjoint frozenset.symmetric_difference frozenset.issubset frozenset.issuperset frozenset.isdisjoint
set.add set.remove set.discard set.symmetric_difference_update collections.deque.append collections.deque.appendleft collections.deque.extend
collections.deque.extendleft collections.deque.count collections.deque.remove itertools.chain.from_iterable math.sqrt math.exp math.exp2
math.expm1 math.log2 math.log10 math.log1p math.sin math.cos math.tan math.asin math.acos math.atan math.sinh math.cosh math.tanh math.asinh
math.acosh math.atanh math.fabs math.degrees math.radians math.ulp math.modf math.frexp math.isnan math.isinf math.isfinite math.floor
math.ceil math.trunc math.factorial math.isqrt math.fsum _csv.writer.writerow _csv.writer.writerows io.StringIO.write
decimal.Decimal.from_float time.mktime str.format_map str.join str.partition str.removeprefix str.removesuffix str.rpartition str.translate
str.zfill bytes.fromhex bytes.join datetime.date.fromisoformat datetime.date.fromtimestamp datetime.datetime.fromisoformat
datetime.time.fromisoformat datetime.timezone.utcoffset datetime.timezone.tzname datetime.timezone.dst datetime.timezone.fromutc
unicodedata.category unicodedata.combining hashlib.HASH.update`,
  ],
  [
    { takes: "positions", callee: "owner" },
    `list.insert list.pop list.index tuple.index dict.get dict.setdefault dict.pop dict.fromkeys collections.defaultdict.fromkeys itertools.tee
math.atan2 math.pow math.dist math.fmod math.remainder math.copysign math.ldexp math.nextafter math.perm math.comb io.StringIO.read
io.StringIO.readline io.StringIO.seek io.StringIO.truncate str.center str.ljust str.lstrip str.maketrans str.replace str.rjust str.rstrip
str.strip bytes.lstrip bytes.rstrip bytes.strip re.Match.start re.Match.end re.Match.span unicodedata.normalize unicodedata.is_normalized`,
  ],
  [
    { takes: "class", callee: "init" },
    `collections.Counter difflib.SequenceMatcher difflib.Differ graphlib.TopologicalSorter string.Template uuid.UUID`,
  ],
  [
    { takes: "python", callee: "owner" },
    `collections.Counter.update collections.Counter.subtract collections.Counter.most_common collections.Counter.elements
collections.Counter.total collections.Counter.copy csv.DictWriter.writeheader csv.DictWriter.writerow csv.DictWriter.writerows
difflib.SequenceMatcher.set_seqs difflib.SequenceMatcher.set_seq1 difflib.SequenceMatcher.set_seq2 difflib.SequenceMatcher.find_longest_match
difflib.SequenceMatcher.get_matching_blocks difflib.SequenceMatcher.get_opcodes difflib.SequenceMatcher.get_grouped_opcodes
difflib.SequenceMatcher.ratio difflib.SequenceMatcher.quick_ratio difflib.SequenceMatcher.real_quick_ratio difflib.Differ.compare
graphlib.TopologicalSorter.add graphlib.TopologicalSorter.prepare graphlib.TopologicalSorter.static_order urllib.parse.ParseResult.geturl
urllib.parse.ParseResult._asdict urllib.parse.ParseResult._replace urllib.parse.SplitResult.geturl urllib.parse.SplitResult._asdict
urllib.parse.SplitResult._replace urllib.parse.DefragResult.geturl urllib.parse.DefragResult._asdict urllib.parse.DefragResult._replace
string.Template.substitute string.Template.safe_substitute string.Template.is_valid string.Template.get_identifiers hmac.HMAC.digest
hmac.HMAC.hexdigest hmac.HMAC.copy`,
  ],
  [
    { takes: "tuple", callee: "owner" },
    `collections.deque.index collections.deque.insert str.count str.endswith str.find str.index str.rfind str.rindex str.startswith bytes.endswith
bytes.find bytes.index bytes.startswith datetime.date.__format__`,
  ],
  [{ takes: "nothing", callee: "word" }, `itertools.chain operator.itemgetter operator.attrgetter io.StringIO.flush`],
  [
    { takes: "python", callee: "word" },
    `functools.wraps functools.cache functools.lru_cache heapq.nlargest heapq.nsmallest heapq.merge copy.copy copy.deepcopy statistics.mean
statistics.fmean statistics.geometric_mean statistics.harmonic_mean statistics.median statistics.median_low statistics.median_high
statistics.mode statistics.multimode statistics.quantiles statistics.variance statistics.pvariance statistics.stdev statistics.pstdev
statistics.covariance statistics.linear_regression statistics.correlation difflib.get_close_matches difflib.unified_diff difflib.context_diff
difflib.ndiff re.compile re.search re.match re.fullmatch re.findall re.finditer re.split re.sub re.subn re.escape re.purge calendar.isleap
calendar.leapdays calendar.monthrange calendar.timegm calendar.weekday urllib.parse.urlparse urllib.parse.urlsplit urllib.parse.urlunparse
urllib.parse.urlunsplit urllib.parse.urljoin urllib.parse.urldefrag urllib.parse.quote urllib.parse.quote_plus urllib.parse.unquote
urllib.parse.unquote_plus urllib.parse.unquote_to_bytes urllib.parse.urlencode urllib.parse.parse_qs urllib.parse.parse_qsl textwrap.wrap
textwrap.fill textwrap.shorten textwrap.dedent textwrap.indent string.capwords html.escape uuid.uuid3 uuid.uuid5 hashlib.new hmac.new
hmac.digest base64.b64encode base64.b64decode base64.standard_b64encode base64.standard_b64decode base64.urlsafe_b64encode
base64.urlsafe_b64decode base64.b32encode base64.b32decode base64.b16encode base64.b16decode json.dumps json.loads`,
  ],
  [
    { takes: "positions", callee: "module" },
    `operator.add operator.iadd operator.sub operator.isub operator.mul operator.imul operator.truediv operator.itruediv operator.floordiv
operator.ifloordiv operator.mod operator.imod operator.pow operator.ipow operator.lshift operator.ilshift operator.rshift operator.irshift
operator.and_ operator.iand operator.or_ operator.ior operator.xor operator.ixor operator.lt operator.le operator.gt operator.ge operator.eq
operator.ne operator.concat operator.contains operator.getitem operator.setitem operator.delitem operator.countOf operator.indexOf
heapq.heappush heapq.heapreplace heapq.heappushpop hmac.compare_digest`,
  ],
  [
    { takes: "one", callee: "module" },
    `operator.neg operator.pos operator.invert operator.truth operator.not_ operator.index heapq.heapify heapq.heappop`,
  ],
  [{ takes: "python", callee: "init" }, `csv.DictReader csv.DictWriter`],
  [
    { takes: "unnamed", callee: "word" },
    `decimal.Decimal decimal.Decimal.quantize decimal.Decimal.to_integral decimal.Decimal.to_integral_value decimal.Decimal.to_integral_exact
decimal.Decimal.normalize decimal.Decimal.sqrt decimal.Decimal.copy_sign decimal.Decimal.compare decimal.Decimal.max decimal.Decimal.min
decimal.Decimal.scaleb decimal.Decimal.fma datetime.date datetime.datetime datetime.time zoneinfo.ZoneInfo`,
  ],
  [
    { takes: "tuple", callee: "word" },
    `time.gmtime time.localtime time.strftime time.ctime datetime.date.fromordinal datetime.datetime.strptime datetime.datetime.utcfromtimestamp
datetime.datetime.fromordinal`,
  ],
  [{ takes: "class", callee: "word" }, `calendar.monthcalendar`],
];
