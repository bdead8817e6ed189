;; Dot products of one 16-bit query with 8-bit rows, eight components a step.
;; All addresses are bytes in the imported memory; `stride` is the bytes of a row, a multiple of 16.
(module
  (import "index" "memory" (memory 1))
  (func (export "scan")
    (param $query i32) (param $factor f32) (param $rows i32) (param $scales i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $at i32) (local $component i32) (local $sum v128) (local $bytes v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $component (i32.const 0))
        (local.set $at (local.get $query))
        (loop $step
          (local.set $bytes (v128.load (i32.add (local.get $rows) (local.get $component))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $step (i32.lt_u (local.tee $component (i32.add (local.get $component) (i32.const 16))) (local.get $stride))))
        (f32.store (local.get $out)
          (f32.mul
            (f32.mul
              (f32.convert_i32_s
                (i32.add
                  (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                  (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
              (f32.load (local.get $scales)))
            (local.get $factor)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row)))))
