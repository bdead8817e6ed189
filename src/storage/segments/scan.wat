;; `scan`: dot products of one 16-bit query with 8-bit rows, sixteen components of two rows a step; `stride` is the bytes of a row, a multiple of 16. Four rows
;; at once would be .3 ns faster where the rows are in a cache, and half as fast where they are not: the processor reads ahead of two streams, not of four.
;; `above`: the places of float32 scores above a floor, four scores a step; it may write three more than it answers.
;; `scanAt`: as `scan`, for rows at given places. They lie far apart, so each is asked for four places before its turn: then several come from memory at once.
;; `binarise`: of each component of an 8-bit vector one bit, whether it is above that of `centre`.
;; `agreement`: minus the number of bits in which rows of `width` bytes (a multiple of 16), `step` bytes from one to the next, differ from `query`, as float32. One row
;; after the other: four at once, or sixteen bytes at once, are not faster, since it waits for memory.
;; All addresses are bytes in the imported memory.
(module
  (import "index" "memory" (memory 1))
  (func (export "scan")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $at i32) (local $row1 i32) (local $next i32)
    (local $low v128) (local $high v128) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $out) (i32.const 16)) (local.get $end)))
        (local.set $row1 (i32.add (local.get $rows) (local.get $stride)))
        (local.set $next (i32.add (local.get $row1) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (local.get $low))))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row1)) (local.get $low))))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $rows)) (local.get $high))))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row1)) (local.get $high))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $step (i32.lt_u (local.tee $row1 (i32.add (local.get $row1) (i32.const 16))) (local.get $next))))
        (local.set $rows (local.get $next))
        (local.set $row1 (i32.add (local.get $rows) (local.get $stride)))
        (local.set $next (i32.add (local.get $row1) (local.get $stride)))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $rows)) (local.get $low))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row1)) (local.get $low))))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $rows)) (local.get $high))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row1)) (local.get $high))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $step (i32.lt_u (local.tee $row1 (i32.add (local.get $row1) (i32.const 16))) (local.get $next))))
        (local.set $rows (local.get $next))
        ;; the four lanes of each sum, added by turning the sums over
        (local.set $sum0 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum0) (local.get $sum1))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum0) (local.get $sum1))))
        (local.set $sum2 (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $sum2) (local.get $sum3))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $sum2) (local.get $sum3))))
        (v128.store align=4 (local.get $out)
          (f32x4.mul
            (f32x4.mul
              (f32x4.convert_i32x4_s
                (i32x4.add
                  (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $sum0) (local.get $sum2))
                  (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $sum0) (local.get $sum2))))
              (v128.load align=4 (local.get $scales)))
            (f32x4.splat (local.get $factor))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $four)))
    (block $end
      (loop $rest
        (br_if $end (i32.ge_u (local.get $out) (local.get $end)))
        (f32.store (local.get $out) (call $score (local.get $query) (local.get $factor) (local.get $rows) (local.get $scales) (local.get $stride)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rest))))
  (func $score (param $query i32) (param $factor f32) (param $row i32) (param $scale i32) (param $stride i32) (result f32)
    (local $end i32) (local $sum0 v128) (local $sum1 v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (loop $step
      (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (v128.load (local.get $query)))))
      (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (v128.load offset=16 (local.get $query)))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $step (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
    (local.set $sum0 (i32x4.add (local.get $sum0) (local.get $sum1)))
    (f32.mul
      (f32.mul
        (f32.convert_i32_s
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum0)) (i32x4.extract_lane 1 (local.get $sum0)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum0)) (i32x4.extract_lane 3 (local.get $sum0)))))
        (f32.load (local.get $scale)))
      (local.get $factor)))
  (func (export "scanAt")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $places i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $ahead i32) (local $place i32) (local $at i32) (local $next i32)
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $ahead (local.get $places))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (block $enough
          (loop $touch
            (br_if $enough (i32.ge_u (local.get $ahead) (local.get $end)))
            (br_if $enough (i32.gt_u (local.get $ahead) (i32.add (local.get $places) (i32.const 16))))
            (local.set $at (i32.add (local.get $rows) (i32.mul (i32.load (local.get $ahead)) (local.get $stride))))
            (local.set $next (i32.add (local.get $at) (local.get $stride)))
            (loop $line
              (drop (i32.load (local.get $at)))
              (br_if $line (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $next))))
            (local.set $ahead (i32.add (local.get $ahead) (i32.const 4)))
            (br $touch)))
        (local.set $place (i32.load (local.get $places)))
        (f32.store (local.get $out)
          (call $score
            (local.get $query)
            (local.get $factor)
            (i32.add (local.get $rows) (i32.mul (local.get $place) (local.get $stride)))
            (i32.add (local.get $scales) (i32.shl (local.get $place) (i32.const 2)))
            (local.get $stride)))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each))))
  (func (export "above") (param $at i32) (param $count i32) (param $floor f32) (param $out i32) (result i32)
    (local $place i32) (local $bits i32) (local $start i32) (local $floors v128)
    (local.set $start (local.get $out))
    (local.set $floors (f32x4.splat (local.get $floor)))
    (block $done
      (loop $four
        (br_if $done (i32.gt_u (i32.add (local.get $place) (i32.const 4)) (local.get $count)))
        (local.set $bits (i32x4.bitmask (f32x4.gt (v128.load align=4 (local.get $at)) (local.get $floors))))
        (if (local.get $bits)
          (then
            (i32.store (local.get $out) (local.get $place))
            (local.set $out (i32.add (local.get $out) (i32.shl (i32.and (local.get $bits) (i32.const 1)) (i32.const 2))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 1)))
            (local.set $out (i32.add (local.get $out) (i32.shl (i32.and (local.get $bits) (i32.const 2)) (i32.const 1))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 2)))
            (local.set $out (i32.add (local.get $out) (i32.and (local.get $bits) (i32.const 4))))
            (i32.store (local.get $out) (i32.add (local.get $place) (i32.const 3)))
            (local.set $out (i32.add (local.get $out) (i32.shr_u (i32.and (local.get $bits) (i32.const 8)) (i32.const 1))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $place (i32.add (local.get $place) (i32.const 4)))
        (br $four)))
    (block $end
      (loop $rest
        (br_if $end (i32.ge_u (local.get $place) (local.get $count)))
        (i32.store (local.get $out) (local.get $place))
        (local.set $out (i32.add (local.get $out) (i32.shl (f32.gt (f32.load (local.get $at)) (local.get $floor)) (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $rest)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))
  (func (export "binarise") (param $vector i32) (param $centre i32) (param $stride i32) (param $out i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $vector) (local.get $stride)))
    (loop $step
      (i32.store16 (local.get $out) (i8x16.bitmask (i8x16.gt_s (v128.load (local.get $vector)) (v128.load (local.get $centre)))))
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (local.set $centre (i32.add (local.get $centre) (i32.const 16)))
      (br_if $step (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 16))) (local.get $end)))))
  (func (export "agreement") (param $query i32) (param $rows i32) (param $count i32) (param $step i32) (param $width i32) (param $out i32)
    (local $end i32) (local $row i32) (local $at i32) (local $last i32) (local $sum0 i64) (local $sum1 i64)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $last (i32.add (local.get $query) (local.get $width)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $row (local.get $rows))
        (local.set $at (local.get $query))
        (local.set $sum0 (i64.const 0))
        (local.set $sum1 (i64.const 0))
        (loop $piece
          (local.set $sum0 (i64.add (local.get $sum0) (i64.popcnt (i64.xor (i64.load (local.get $row)) (i64.load (local.get $at))))))
          (local.set $sum1 (i64.add (local.get $sum1) (i64.popcnt (i64.xor (i64.load offset=8 (local.get $row)) (i64.load offset=8 (local.get $at))))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $piece (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $last))))
        (f32.store (local.get $out) (f32.neg (f32.convert_i64_s (i64.add (local.get $sum0) (local.get $sum1)))))
        (local.set $rows (i32.add (local.get $rows) (local.get $step)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $each)))))
